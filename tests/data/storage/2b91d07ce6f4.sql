-- A database of the revision 2b91d07ce6f4, on the way from 0.3.0 to 0.4.0: the one of 0008, and a tournament.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('2b91d07ce6f4');
CREATE TABLE alert (
	person INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	told BIGINT, 
	CONSTRAINT pk_alert PRIMARY KEY (person, platform, place, game), 
	CONSTRAINT fk_alert_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE attempt (
	person INTEGER NOT NULL, 
	exercise VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	step VARCHAR NOT NULL, 
	state INTEGER NOT NULL, 
	wrong INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	solved BIGINT, 
	CONSTRAINT pk_attempt PRIMARY KEY (person, exercise), 
	CONSTRAINT fk_attempt_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE bar (
	platform VARCHAR NOT NULL, 
	external VARCHAR NOT NULL, 
	at_platform VARCHAR NOT NULL, 
	at_place VARCHAR NOT NULL, 
	since BIGINT NOT NULL, 
	"by" INTEGER, 
	CONSTRAINT pk_bar PRIMARY KEY (platform, external, at_platform, at_place)
);
CREATE TABLE call (
	game VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	turn INTEGER NOT NULL, 
	due BIGINT, 
	platform VARCHAR, 
	place VARCHAR, 
	thread VARCHAR, 
	message VARCHAR, 
	CONSTRAINT pk_call PRIMARY KEY (game, person), 
	CONSTRAINT fk_call_game FOREIGN KEY(game) REFERENCES game (code), 
	CONSTRAINT fk_call_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE comment (
	person INTEGER NOT NULL, 
	game VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	text VARCHAR NOT NULL, 
	moves VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_comment PRIMARY KEY (person, game, number), 
	CONSTRAINT fk_comment_person FOREIGN KEY(person) REFERENCES person (id), 
	CONSTRAINT fk_comment_game FOREIGN KEY(game) REFERENCES game (code)
);
CREATE TABLE daily (
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	day INTEGER NOT NULL, 
	puzzle VARCHAR NOT NULL, 
	idle INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_daily PRIMARY KEY (platform, place)
);
CREATE TABLE deadline (
	game VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	person INTEGER, 
	CONSTRAINT pk_deadline PRIMARY KEY (game, kind), 
	CONSTRAINT fk_deadline_game FOREIGN KEY(game) REFERENCES game (code)
);
INSERT INTO "deadline" VALUES('k7','clock',3,1772366460123,NULL);
CREATE TABLE draft (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	person INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	thread VARCHAR, 
	data JSON NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT fk_draft_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE entrant (
	tournament VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	thread VARCHAR, 
	private BOOLEAN NOT NULL, 
	CONSTRAINT pk_entrant PRIMARY KEY (tournament, person), 
	CONSTRAINT fk_entrant_tournament FOREIGN KEY(tournament) REFERENCES tournament (code), 
	CONSTRAINT fk_entrant_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE event (
	game VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	kind VARCHAR NOT NULL, 
	seat INTEGER, 
	text VARCHAR NOT NULL, 
	data JSON NOT NULL, 
	steady BIGINT, 
	CONSTRAINT pk_event PRIMARY KEY (game, number), 
	CONSTRAINT fk_event_game FOREIGN KEY(game) REFERENCES game (code)
)
 WITHOUT ROWID

;
INSERT INTO "event" VALUES('k7',1,1772366401123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}',NULL);
INSERT INTO "event" VALUES('k7',2,1772366402123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}',NULL);
INSERT INTO "event" VALUES('k7',3,1772366403123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}',NULL);
INSERT INTO "event" VALUES('m2',1,1772366401123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}',NULL);
INSERT INTO "event" VALUES('m2',2,1772366402123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}',NULL);
INSERT INTO "event" VALUES('m2',3,1772366403123,'move',0,'b3','{"draw": null, "tags": ["a", 1], "v": 1}',NULL);
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
	parent VARCHAR, 
	over_at BIGINT, 
	to_move INTEGER, 
	computer BOOLEAN DEFAULT 0 NOT NULL, 
	"match" VARCHAR DEFAULT '' NOT NULL, 
	holder INTEGER DEFAULT '0' NOT NULL, rated BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_game PRIMARY KEY (code), 
	CONSTRAINT fk_game_parent FOREIGN KEY(parent) REFERENCES game (code)
);
INSERT INTO "game" VALUES('k7','niya','playing',3,1772366400123,1772366400123,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',NULL,NULL,0,0,'',0,0);
INSERT INTO "game" VALUES('m2','niya','ended',3,1772366400123,1772366400123,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',NULL,1772366400123,0,0,'',0,0);
CREATE TABLE house_puzzle (
	code VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	lesson JSON NOT NULL, 
	origin VARCHAR NOT NULL, 
	added BIGINT NOT NULL, 
	rules INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	fault VARCHAR NOT NULL, 
	CONSTRAINT pk_house_puzzle PRIMARY KEY (code)
);
CREATE TABLE identity (
	platform VARCHAR NOT NULL, 
	external VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	CONSTRAINT pk_identity PRIMARY KEY (platform, external), 
	CONSTRAINT fk_identity_person FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "identity" VALUES('telegram','1',1);
CREATE TABLE imported_game (
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	source VARCHAR NOT NULL, 
	code VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	day VARCHAR NOT NULL, 
	names VARCHAR NOT NULL, 
	record VARCHAR NOT NULL, 
	CONSTRAINT pk_imported_game PRIMARY KEY (platform, place, source, code)
);
CREATE TABLE imported_place (
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	source VARCHAR NOT NULL, 
	title VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	data JSON NOT NULL, 
	CONSTRAINT pk_imported_place PRIMARY KEY (platform, place, source)
);
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
CREATE TABLE lease (
	name VARCHAR NOT NULL, 
	holder INTEGER NOT NULL, 
	CONSTRAINT pk_lease PRIMARY KEY (name)
);
CREATE TABLE link (
	code VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_link PRIMARY KEY (code), 
	CONSTRAINT fk_link_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE medal (
	person INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	pool VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	game VARCHAR, 
	data JSON NOT NULL, 
	CONSTRAINT pk_medal PRIMARY KEY (person, "key", pool), 
	CONSTRAINT fk_medal_person FOREIGN KEY(person) REFERENCES person (id), 
	CONSTRAINT fk_medal_game FOREIGN KEY(game) REFERENCES game (code)
);
CREATE TABLE mistake (
	person INTEGER NOT NULL, 
	code VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	lesson JSON NOT NULL, 
	at BIGINT NOT NULL, 
	due INTEGER, 
	last INTEGER NOT NULL, 
	stability DOUBLE, 
	difficulty DOUBLE, 
	CONSTRAINT pk_mistake PRIMARY KEY (person, code), 
	CONSTRAINT fk_mistake_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE outage (
	id INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	began BIGINT NOT NULL, 
	ended BIGINT, 
	CONSTRAINT pk_outage PRIMARY KEY (id)
);
CREATE TABLE person (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR NOT NULL, 
	language VARCHAR, 
	created BIGINT NOT NULL, 
	settings JSON DEFAULT '{}' NOT NULL, 
	same_as INTEGER, 
	reminded BIGINT
);
INSERT INTO "person" VALUES(1,'Ana',NULL,1772366400123,'{}',NULL,NULL);
CREATE TABLE place (
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	retry_at BIGINT, 
	suspended BOOLEAN NOT NULL, 
	language VARCHAR, 
	settings JSON NOT NULL, 
	CONSTRAINT pk_place PRIMARY KEY (platform, place)
);
CREATE TABLE presence (
	game VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	thread VARCHAR, 
	private BOOLEAN NOT NULL, 
	CONSTRAINT pk_presence PRIMARY KEY (game, person), 
	CONSTRAINT fk_presence_game FOREIGN KEY(game) REFERENCES game (code), 
	CONSTRAINT fk_presence_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE process (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	until BIGINT NOT NULL
);
CREATE TABLE puzzle (
	code VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	last BIGINT, 
	tried INTEGER NOT NULL, 
	solved INTEGER NOT NULL, 
	CONSTRAINT pk_puzzle PRIMARY KEY (code)
);
CREATE TABLE rating (
	pool VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	last BIGINT, 
	CONSTRAINT pk_rating PRIMARY KEY (pool, person), 
	CONSTRAINT fk_rating_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE rating_change (
	entry INTEGER NOT NULL, 
	person INTEGER NOT NULL, 
	pool VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	mu_before DOUBLE NOT NULL, 
	sigma_before DOUBLE NOT NULL, 
	last_before BIGINT, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	last BIGINT, 
	CONSTRAINT pk_rating_change PRIMARY KEY (entry, person, pool), 
	CONSTRAINT fk_rating_change_entry FOREIGN KEY(entry) REFERENCES rating_entry (number), 
	CONSTRAINT fk_rating_change_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE rating_entry (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	kind VARCHAR NOT NULL, 
	pool VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	game VARCHAR, 
	formula VARCHAR NOT NULL, 
	people VARCHAR NOT NULL, 
	places VARCHAR NOT NULL, 
	"of" INTEGER, 
	data JSON NOT NULL, 
	CONSTRAINT fk_rating_entry_game FOREIGN KEY(game) REFERENCES game (code)
);
CREATE TABLE seat (
	game VARCHAR NOT NULL, 
	seat INTEGER NOT NULL, 
	person INTEGER, 
	level INTEGER, 
	side VARCHAR NOT NULL, 
	place INTEGER, 
	over_at BIGINT, 
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
INSERT INTO "setting" VALUES('schema-accepts','2b91d07ce6f4 7f4e19c2d0ab');
CREATE TABLE snapshot (
	game VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	format VARCHAR NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT pk_snapshot PRIMARY KEY (game), 
	CONSTRAINT fk_snapshot_game FOREIGN KEY(game) REFERENCES game (code)
);
CREATE TABLE solver (
	person INTEGER NOT NULL, 
	pool VARCHAR NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	last BIGINT, 
	streak INTEGER NOT NULL, 
	longest INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	CONSTRAINT pk_solver PRIMARY KEY (person, pool), 
	CONSTRAINT fk_solver_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE talk (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	seat INTEGER, 
	preset VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT fk_talk_game FOREIGN KEY(game) REFERENCES game (code), 
	CONSTRAINT fk_talk_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE tally (
	pool VARCHAR NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	person INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	opponents VARCHAR NOT NULL, 
	met INTEGER NOT NULL, 
	last BIGINT NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	listed BOOLEAN NOT NULL, 
	CONSTRAINT pk_tally PRIMARY KEY (pool, platform, place, person), 
	CONSTRAINT fk_tally_person FOREIGN KEY(person) REFERENCES person (id)
);
CREATE TABLE tournament (
	code VARCHAR NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	thread VARCHAR, 
	private BOOLEAN NOT NULL, 
	phase VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	touched BIGINT NOT NULL, 
	due BIGINT, 
	CONSTRAINT pk_tournament PRIMARY KEY (code)
);
INSERT INTO "tournament" VALUES('CUPCUP','telegram','-100',NULL,0,'open',1,1700000000000,1700000000000,NULL);
CREATE TABLE tournament_event (
	tournament VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	kind VARCHAR NOT NULL, 
	data JSON NOT NULL, 
	steady BIGINT NOT NULL, 
	CONSTRAINT pk_tournament_event PRIMARY KEY (tournament, number), 
	CONSTRAINT fk_tournament_event_tournament FOREIGN KEY(tournament) REFERENCES tournament (code)
);
CREATE TABLE tournament_view (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	tournament VARCHAR NOT NULL, 
	platform VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	thread VARCHAR, 
	person INTEGER, 
	language VARCHAR NOT NULL, 
	message VARCHAR, 
	shown INTEGER NOT NULL, 
	owed INTEGER NOT NULL, 
	posted BIGINT, 
	digest VARCHAR NOT NULL, 
	CONSTRAINT fk_tournament_view_tournament FOREIGN KEY(tournament) REFERENCES tournament (code), 
	CONSTRAINT fk_tournament_view_person FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "tournament_view" VALUES(1,'CUPCUP','telegram','-100',NULL,NULL,'es','43',1,1,1700000000000,'drawn');
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
	digest VARCHAR NOT NULL, 
	over_at BIGINT, 
	CONSTRAINT uq_view_game_platform_place_message UNIQUE (game, platform, place, message), 
	CONSTRAINT fk_view_game FOREIGN KEY(game) REFERENCES game (code), 
	CONSTRAINT fk_view_person FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "view" VALUES(1,'k7','telegram','-100','41',NULL,NULL,'es','paper',NULL,0,3,NULL,NULL,NULL,'',NULL);
INSERT INTO "view" VALUES(2,'m2','telegram','-100','41',NULL,NULL,'es','paper',NULL,0,3,NULL,NULL,NULL,'',1772366400123);
CREATE INDEX ix_game_unknown ON game (code) WHERE to_move IS NULL;
CREATE INDEX ix_game_status ON game (status);
CREATE INDEX ix_game_computer ON game (code) WHERE computer = 1;
CREATE INDEX ix_inbox_state_at ON inbox (state, at);
CREATE INDEX ix_identity_person ON identity (person);
CREATE INDEX ix_seat_person_over_at_game ON seat (person, over_at, game);
CREATE INDEX ix_view_platform_place_message ON "view" (platform, place, message);
CREATE INDEX ix_view_platform_place_over_at_game ON "view" (platform, place, over_at, game);
CREATE INDEX ix_view_behind ON "view" (id) WHERE shown < owed;
CREATE INDEX ix_call_platform_place ON call (platform, place);
CREATE INDEX ix_call_answered ON call (game) WHERE kind = '';
CREATE INDEX ix_call_due ON call (due);
CREATE INDEX ix_presence_platform_place ON presence (platform, place);
CREATE INDEX ix_draft_person ON draft (person);
CREATE INDEX ix_draft_at ON draft (at);
CREATE INDEX ix_talk_game_id ON talk (game, id);
CREATE INDEX ix_talk_person ON talk (person);
CREATE INDEX ix_deadline_at ON deadline (at);
CREATE INDEX ix_deadline_person_at ON deadline (person, at);
CREATE INDEX ix_alert_platform_place_game ON alert (platform, place, game);
CREATE INDEX ix_rating_entry_game ON rating_entry (game);
CREATE INDEX ix_rating_entry_of ON rating_entry ("of");
CREATE INDEX ix_rating_change_person_pool_entry ON rating_change (person, pool, entry);
CREATE INDEX ix_rating_person ON rating (person);
CREATE INDEX ix_tally_ladder ON tally (pool, platform, place, listed, mu, person, sigma, met, last);
CREATE INDEX ix_tally_person ON tally (person);
CREATE INDEX ix_bar_at_platform_at_place ON bar (at_platform, at_place);
CREATE INDEX ix_attempt_person_game ON attempt (person, game);
CREATE INDEX ix_medal_game ON medal (game);
CREATE INDEX ix_tournament_due ON tournament (due);
CREATE INDEX ix_tournament_platform_place_phase ON tournament (platform, place, phase);
CREATE INDEX ix_entrant_person ON entrant (person);
CREATE INDEX ix_tournament_view_tournament ON tournament_view (tournament);
CREATE INDEX ix_tournament_view_platform_place ON tournament_view (platform, place);
CREATE INDEX ix_tournament_view_late ON tournament_view (id) WHERE shown < owed;
CREATE INDEX ix_mistake_person_due ON mistake (person, due);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('person',1);
INSERT INTO "sqlite_sequence" VALUES('view',2);
INSERT INTO "sqlite_sequence" VALUES('tournament_view',1);
COMMIT;
