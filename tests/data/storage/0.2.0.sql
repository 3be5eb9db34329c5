-- A database as the commit "Release 0.2.0" leaves it: its 0003 is not the 0003 of later commits.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
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
INSERT INTO "event" VALUES('k7',1,1772366401123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}');
INSERT INTO "event" VALUES('k7',2,1772366402123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}');
INSERT INTO "event" VALUES('k7',3,1772366403123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}');
INSERT INTO "event" VALUES('m2',1,1772366401123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}');
INSERT INTO "event" VALUES('m2',2,1772366402123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}');
INSERT INTO "event" VALUES('m2',3,1772366403123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}');
CREATE TABLE fault (
	game VARCHAR NOT NULL, 
	event INTEGER, 
	why VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_fault PRIMARY KEY (game), 
	CONSTRAINT fk_fault_game FOREIGN KEY(game) REFERENCES game (code)
);
CREATE TABLE game (
	code VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	touched BIGINT NOT NULL, 
	secret BLOB, 
	parent VARCHAR, over_at BIGINT, to_move INTEGER, computer BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_game PRIMARY KEY (code), 
	CONSTRAINT fk_game_parent FOREIGN KEY(parent) REFERENCES game (code)
);
INSERT INTO "game" VALUES('k7','niya','playing',3,1772366400123,1772366400123,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',NULL,NULL,0,0);
INSERT INTO "game" VALUES('m2','niya','ended',3,1772366400123,1772366400123,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',NULL,1772366400123,0,0);
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
CREATE TABLE person (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR NOT NULL, 
	language VARCHAR, 
	created BIGINT NOT NULL
);
INSERT INTO "person" VALUES(1,'Ana',NULL,1772366400123);
CREATE TABLE place (
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	retry_at BIGINT, 
	suspended BOOLEAN NOT NULL, 
	language VARCHAR, 
	settings JSON NOT NULL, 
	CONSTRAINT pk_place PRIMARY KEY (platform, place)
);
CREATE TABLE seat (
	game VARCHAR NOT NULL, 
	seat INTEGER NOT NULL, 
	person INTEGER, 
	level INTEGER, 
	side VARCHAR NOT NULL, 
	place INTEGER, over_at BIGINT, 
	CONSTRAINT pk_seat PRIMARY KEY (game, seat), 
	CONSTRAINT fk_seat_game FOREIGN KEY(game) REFERENCES game (code), 
	CONSTRAINT fk_seat_person FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "seat" VALUES('k7',0,1,NULL,'black',NULL,NULL);
INSERT INTO "seat" VALUES('k7',1,NULL,2,'white',NULL,NULL);
INSERT INTO "seat" VALUES('m2',0,1,NULL,'black',NULL,1772366400123);
INSERT INTO "seat" VALUES('m2',1,NULL,2,'white',NULL,1772366400123);
CREATE TABLE setting (
	"key" VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	CONSTRAINT pk_setting PRIMARY KEY ("key")
);
CREATE TABLE snapshot (
	game VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	format VARCHAR NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT pk_snapshot PRIMARY KEY (game), 
	CONSTRAINT fk_snapshot_game FOREIGN KEY(game) REFERENCES game (code)
);
CREATE TABLE "view" (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game VARCHAR NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	message VARCHAR, 
	thread VARCHAR, 
	person INTEGER, 
	language VARCHAR NOT NULL, 
	theme VARCHAR NOT NULL, 
	side INTEGER, 
	shown INTEGER NOT NULL, 
	owed INTEGER NOT NULL, 
	token VARCHAR, 
	token_at BIGINT, 
	posted BIGINT, 
	digest VARCHAR NOT NULL, over_at BIGINT, called INTEGER, call VARCHAR, 
	CONSTRAINT fk_view_game FOREIGN KEY(game) REFERENCES game (code), 
	CONSTRAINT fk_view_person FOREIGN KEY(person) REFERENCES person (id), 
	CONSTRAINT uq_view_game_platform_place_message UNIQUE (game, platform, place, message)
);
INSERT INTO "view" VALUES(1,'k7','telegram','-100','41',NULL,NULL,'es','paper',NULL,0,3,NULL,NULL,NULL,'',NULL,2,'m77');
INSERT INTO "view" VALUES(2,'m2','telegram','-100','41',NULL,NULL,'es','paper',NULL,0,3,NULL,NULL,NULL,'',1772366400123,NULL,NULL);
CREATE INDEX ix_identity_person ON identity (person);
CREATE INDEX ix_game_status ON game (status);
CREATE INDEX ix_view_platform_place_message ON "view" (platform, place, message);
CREATE INDEX ix_view_behind ON "view" (id) WHERE shown < owed;
CREATE INDEX ix_inbox_state_at ON inbox (state, at);
CREATE INDEX ix_deadline_at ON deadline (at);
CREATE INDEX ix_seat_person_over_at_game ON seat (person, over_at, game);
CREATE INDEX ix_view_platform_place_over_at_game ON "view" (platform, place, over_at, game);
CREATE INDEX ix_game_computer ON game (code) WHERE computer = 1;
CREATE INDEX ix_game_unknown ON game (code) WHERE to_move IS NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('person',1);
INSERT INTO "sqlite_sequence" VALUES('view',2);
COMMIT;
