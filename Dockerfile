# Ludoteca in a container: docs/operate/README.md, which also tells how to pin the base by its digest
FROM python:3.11-slim-bookworm AS build
# Whose dates and plurals are kept; LUDOTECA_TEXTS in other languages needs them here as well.
ARG LANGUAGES="en es"
# The computers' search is compiled (hatch_build.py).
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /src
COPY requirements.lock constraints.txt ./
# The base's own pip installs into it, so that none is in it.
RUN python -m venv --without-pip /opt/ludoteca \
 && pip --python /opt/ludoteca/bin/python install --no-cache-dir --require-hashes -r requirements.lock
COPY . .
# What builds is of the version that was tried, too.
RUN LUDOTECA_FAST=1 PIP_CONSTRAINT=constraints.txt pip --python /opt/ludoteca/bin/python install --no-cache-dir --no-deps .
RUN cd /opt/ludoteca/lib/python3.11/site-packages/babel/locale-data \
 && mkdir /kept && cp root.dat LICENSE.unicode /kept \
 && for one in $LANGUAGES; do cp "$one".dat "$one"_*.dat /kept; done \
 && rm -r ./* && cp /kept/* .

FROM python:3.11-slim-bookworm
COPY --from=build /opt/ludoteca /opt/ludoteca
RUN useradd --system --uid 10001 --no-create-home --home-dir /data ludoteca \
 && install -d -o 10001 -g 10001 -m 0700 /data \
 && rm -rf /usr/local/lib/python3.11/site-packages/pip* /usr/local/bin/pip*
# The root may be mounted read-only: all that is written is the database.
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HEALTH_PORT=8766 LOG_FORMAT=json
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["/opt/ludoteca/bin/python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8766/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/opt/ludoteca/bin/ludoteca"]
