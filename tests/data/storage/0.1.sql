-- A database as release 0.1 leaves it: one game of three moves, shown in two chats.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE deadline (
	game VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_deadline PRIMARY KEY (game, kind), 
	CONSTRAINT fk_deadline_game FOREIGN KEY(game) REFERENCES game (code)
);
INSERT INTO "deadline" VALUES('k7','clock',3,1772366460123);
CREATE TABLE event (
	game VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	kind VARCHAR NOT NULL, 
	seat INTEGER, 
	text VARCHAR NOT NULL, 
	data JSON NOT NULL, 
	CONSTRAINT pk_event PRIMARY KEY (game, number), 
	CONSTRAINT fk_event_game FOREIGN KEY(game) REFERENCES game (code)
)
 WITHOUT ROWID

;
INSERT INTO "event" VALUES('k7',1,1772366401123,'move',0,'b3','{"draw": null, "tags": ["a", 1]}');
INSERT INTO "event" VALUES('k7',2,1772366402123,'move',0,'b3','{"draw": null, "tags": ["a", 1]}');
INSERT INTO "event" VALUES('k7',3,1772366403123,'move',0,'b3','{"draw": null, "tags": ["a", 1]}');
CREATE TABLE game (
	code VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	touched BIGINT NOT NULL, 
	secret BLOB, 
	summary VARCHAR NOT NULL, 
	parent VARCHAR, 
	CONSTRAINT pk_game PRIMARY KEY (code), 
	CONSTRAINT fk_game_parent FOREIGN KEY(parent) REFERENCES game (code)
);
INSERT INTO "game" VALUES('k7','niya','playing',3,1772366400123,1772366400123,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','Niya',NULL);
CREATE TABLE identity (
	platform VARCHAR NOT NULL, 
	external VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	CONSTRAINT pk_identity PRIMARY KEY (platform, external), 
	CONSTRAINT fk_identity_person FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "identity" VALUES('telegram','1',1);
CREATE TABLE inbox (
	id INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	"update" VARCHAR NOT NULL, 
	payload VARCHAR, 
	state VARCHAR NOT NULL, 
	attempts INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_inbox PRIMARY KEY (id), 
	CONSTRAINT uq_inbox_platform_update UNIQUE (platform, "update")
);
INSERT INTO "inbox" VALUES(1,'telegram','7','{}','pending',0,1772366400123);
INSERT INTO "inbox" VALUES(2,'telegram','8',NULL,'done',0,1772366400123);
CREATE TABLE person (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR NOT NULL, 
	language VARCHAR, 
	created BIGINT NOT NULL
);
INSERT INTO "person" VALUES(1,'Ana','es',1772366400123);
CREATE TABLE place (
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	retry_at BIGINT, 
	suspended BOOLEAN NOT NULL, 
	language VARCHAR, 
	settings JSON NOT NULL, 
	CONSTRAINT pk_place PRIMARY KEY (platform, place)
);
INSERT INTO "place" VALUES('telegram','-100',NULL,0,NULL,'{"theme": "night"}');
CREATE TABLE seat (
	game VARCHAR NOT NULL, 
	seat INTEGER NOT NULL, 
	person INTEGER, 
	level INTEGER, 
	side VARCHAR NOT NULL, 
	place INTEGER, 
	CONSTRAINT pk_seat PRIMARY KEY (game, seat), 
	CONSTRAINT fk_seat_game FOREIGN KEY(game) REFERENCES game (code), 
	CONSTRAINT fk_seat_person FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "seat" VALUES('k7',0,1,NULL,'black',NULL);
INSERT INTO "seat" VALUES('k7',1,NULL,2,'white',NULL);
CREATE TABLE setting (
	"key" VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	CONSTRAINT pk_setting PRIMARY KEY ("key")
);
INSERT INTO "setting" VALUES('button key','c2VjcmV0');
CREATE TABLE "view" (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game VARCHAR NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	message VARCHAR, 
	thread VARCHAR, 
	audience INTEGER, 
	person INTEGER, 
	language VARCHAR NOT NULL, 
	theme VARCHAR NOT NULL, 
	side INTEGER, 
	shown INTEGER NOT NULL, 
	owed INTEGER NOT NULL, 
	token VARCHAR, 
	token_at BIGINT, 
	posted BIGINT, 
	digest VARCHAR NOT NULL, 
	CONSTRAINT fk_view_game FOREIGN KEY(game) REFERENCES game (code), 
	CONSTRAINT fk_view_person FOREIGN KEY(person) REFERENCES person (id), 
	CONSTRAINT uq_view_game_platform_place_message UNIQUE (game, platform, place, message)
);
INSERT INTO "view" VALUES(1,'k7','telegram','-100','41',NULL,NULL,NULL,'es','paper',NULL,2,3,'t',1772366400123,1772366400123,'digest');
INSERT INTO "view" VALUES(2,'k7','discord','c1',NULL,NULL,NULL,NULL,'es','paper',NULL,0,3,NULL,NULL,NULL,'');
CREATE INDEX ix_identity_person ON identity (person);
CREATE INDEX ix_game_status ON game (status);
CREATE INDEX ix_seat_person ON seat (person);
CREATE INDEX ix_view_platform_place_message ON "view" (platform, place, message);
CREATE INDEX ix_view_behind ON "view" (id) WHERE shown < owed;
CREATE INDEX ix_inbox_state_at ON inbox (state, at);
CREATE INDEX ix_deadline_at ON deadline (at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('person',1);
INSERT INTO "sqlite_sequence" VALUES('view',2);
COMMIT;
