-- A file of conversations as schema version 1 wrote it.
BEGIN TRANSACTION;
CREATE TABLE comparisons (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        question TEXT NOT NULL,
        left_record TEXT NOT NULL,
        right_record TEXT NOT NULL,
        choice TEXT,
        created TEXT NOT NULL
    );
INSERT INTO "comparisons" VALUES(1,1,'¿Cuál?','{"version": 1, "text": "A* es completa. Nadie la supera.", "citations": [{"start": 0, "end": 15, "quote": "La búsqueda A* es completa.", "first_page": 3, "last_page": 4, "support": 0.93, "source": {"id": "484c196ba176ceb4", "path": "semana/03.pdf", "title": "Búsqueda", "sha256": "sha", "week": 1, "date": "2025-09-01", "version": "1", "authors": ["Ana Núñez", "Luis Gil"]}, "chunk_id": "35b2d73d4101e45c49515fd2", "quote_start": 107, "quote_end": 134, "rank": 1, "score": 0.9, "legs": {"dense": {"rank": 2, "score": 0.81}, "lexical": {"rank": 1, "score": 12.5}}}], "abstained": false, "route": "fixed", "model": "llama3.2", "timings": {"search": 0.02, "generate": 1.5}, "unsupported": [[16, 32]], "web_citations": [{"start": 0, "end": 15, "result": {"rank": 1, "title": "Título", "snippet": "resumen", "link": "https://a.example/b", "source": "a.example"}, "support": 0.5}], "ending": "length", "usage": {"reason": "length", "prompt_tokens": 12, "answer_tokens": 5, "load_s": 0.1, "prompt_s": 0.2, "answer_s": 0.5}}','{"version": 1, "text": "Otra.", "citations": [], "abstained": false, "route": "semantic", "model": "m", "timings": {}, "unsupported": [], "web_citations": [], "ending": "complete", "usage": null}','right','2026-03-01T12:15:00+00:00');
INSERT INTO "comparisons" VALUES(2,2,'¿Y aquí?','{"version": 1, "text": "Una.", "citations": [], "abstained": false, "route": "fixed", "model": "m", "timings": {}, "unsupported": [], "web_citations": [], "ending": "complete", "usage": null}','{"version": 1, "text": "Dos.", "citations": [], "abstained": false, "route": "semantic", "model": "m", "timings": {}, "unsupported": [], "web_citations": [], "ending": "complete", "usage": null}',NULL,'2026-03-01T12:16:00+00:00');
CREATE TABLE feedback (
        turn INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
        vote INTEGER NOT NULL CHECK (vote IN (-1, 1)),
        comment TEXT NOT NULL DEFAULT '',
        created TEXT NOT NULL
    );
INSERT INTO "feedback" VALUES(1,1,'clara, «útil»','2026-03-01T12:07:00+00:00');
INSERT INTO "feedback" VALUES(2,-1,'','2026-03-01T12:10:00+00:00');
CREATE TABLE pieces (
        turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (turn, ordinal)
    ) WITHOUT ROWID
    ;
INSERT INTO "pieces" VALUES(7,0,'Primera frase. ');
INSERT INTO "pieces" VALUES(7,1,'Segunda frase.
');
CREATE TABLE searched (
        turn INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
        session INTEGER NOT NULL,
        folded TEXT NOT NULL
    );
INSERT INTO "searched" VALUES(1,1,'¿es completa la busqueda? dime
a* es completa. nadie la supera.');
INSERT INTO "searched" VALUES(2,1,'¿cuanto cuesta?
los apuntes no cubren esto.');
INSERT INTO "searched" VALUES(3,1,'¿y el arbol?
un arbol [1] es');
INSERT INTO "searched" VALUES(4,1,'¿y roto?
media');
INSERT INTO "searched" VALUES(5,3,'pregunta borrada
respuesta borrada.');
INSERT INTO "searched" VALUES(6,2,'what is a key?
a key is unique.');
INSERT INTO "searched" VALUES(7,2,'¿que quedo a medias?');
INSERT INTO "searched" VALUES(8,2,'¿registro danado?
queda el texto.');
CREATE TABLE sessions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL DEFAULT '',
        folded_title TEXT NOT NULL DEFAULT '',
        course TEXT NOT NULL,
        language TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        deleted_at TEXT
    );
INSERT INTO "sessions" VALUES(1,'a1b2c3d4e5f6','Repaso de Heurísticas','repaso de heuristicas','ia','es','2026-03-01T12:02:00+00:00','2026-03-01T12:14:00+00:00',NULL);
INSERT INTO "sessions" VALUES(2,'0123456789ab','What is a key?','what is a key?','bd','en','2026-03-01T12:03:00+00:00','2026-03-01T12:24:00+00:00',NULL);
INSERT INTO "sessions" VALUES(3,'ffffffffffff','Pregunta borrada','pregunta borrada','ia','es','2026-03-01T12:04:00+00:00','2026-03-01T12:18:00+00:00','2026-03-01T12:19:00+00:00');
CREATE TABLE turns (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        question TEXT NOT NULL,
        standalone TEXT NOT NULL,
        route TEXT,
        rule TEXT NOT NULL DEFAULT '',
        strategy TEXT,
        state TEXT NOT NULL,
        abstained INTEGER NOT NULL DEFAULT 0,
        model TEXT NOT NULL DEFAULT '',
        writer TEXT NOT NULL DEFAULT '',
        created TEXT NOT NULL,
        ended TEXT,
        answer TEXT NOT NULL DEFAULT '',
        record TEXT,
        UNIQUE (session, ordinal)
    );
INSERT INTO "turns" VALUES(1,1,1,'¿Es completa la búsqueda?
Dime','¿Es completa la búsqueda A*?','semantic','strategy','semantic','complete',0,'llama3.2','e2ebc26c6b9b7760','2026-03-01T12:05:00+00:00','2026-03-01T12:06:00+00:00','A* es completa. Nadie la supera.','{"version": 1, "text": "A* es completa. Nadie la supera.", "citations": [{"start": 0, "end": 15, "quote": "La búsqueda A* es completa.", "first_page": 3, "last_page": 4, "support": 0.93, "source": {"id": "484c196ba176ceb4", "path": "semana/03.pdf", "title": "Búsqueda", "sha256": "sha", "week": 1, "date": "2025-09-01", "version": "1", "authors": ["Ana Núñez", "Luis Gil"]}, "chunk_id": "35b2d73d4101e45c49515fd2", "quote_start": 107, "quote_end": 134, "rank": 1, "score": 0.9, "legs": {"dense": {"rank": 2, "score": 0.81}, "lexical": {"rank": 1, "score": 12.5}}}], "abstained": false, "route": "semantic", "model": "llama3.2", "timings": {"search": 0.02, "generate": 1.5}, "unsupported": [[16, 32]], "web_citations": [{"start": 0, "end": 15, "result": {"rank": 1, "title": "Título", "snippet": "resumen", "link": "https://a.example/b", "source": "a.example"}, "support": 0.5}], "ending": "length", "usage": {"reason": "length", "prompt_tokens": 12, "answer_tokens": 5, "load_s": 0.1, "prompt_s": 0.2, "answer_s": 0.5}}');
INSERT INTO "turns" VALUES(2,1,2,'¿Cuánto cuesta?','¿Cuánto cuesta?','fixed','slash','fixed','complete',1,'m','e2ebc26c6b9b7760','2026-03-01T12:08:00+00:00','2026-03-01T12:09:00+00:00','Los apuntes no cubren esto.','{"version": 1, "text": "Los apuntes no cubren esto.", "citations": [], "abstained": true, "route": "fixed", "model": "m", "timings": {}, "unsupported": [], "web_citations": [], "ending": "complete", "usage": null}');
INSERT INTO "turns" VALUES(3,1,3,'¿Y el árbol?','¿Y el árbol?',NULL,'',NULL,'stopped',0,'','e2ebc26c6b9b7760','2026-03-01T12:11:00+00:00','2026-03-01T12:12:00+00:00','Un árbol [1] es',NULL);
INSERT INTO "turns" VALUES(4,1,4,'¿Y roto?','¿Y roto?','web','keyword',NULL,'broken',0,'','e2ebc26c6b9b7760','2026-03-01T12:13:00+00:00','2026-03-01T12:14:00+00:00','Media',NULL);
INSERT INTO "turns" VALUES(5,3,1,'Pregunta borrada','Pregunta borrada','web','',NULL,'complete',0,'m','e2ebc26c6b9b7760','2026-03-01T12:17:00+00:00','2026-03-01T12:18:00+00:00','Respuesta borrada.','{"version": 1, "text": "Respuesta borrada.", "citations": [], "abstained": false, "route": "web", "model": "m", "timings": {}, "unsupported": [], "web_citations": [], "ending": "complete", "usage": null}');
INSERT INTO "turns" VALUES(6,2,1,'What is a key?','What is a key?','fixed','',NULL,'complete',0,'m','e2ebc26c6b9b7760','2026-03-01T12:20:00+00:00','2026-03-01T12:21:00+00:00','A key is unique.','{"version": 1, "text": "A key is unique.", "citations": [], "abstained": false, "route": "fixed", "model": "m", "timings": {}, "unsupported": [], "web_citations": [], "ending": "complete", "usage": null}');
INSERT INTO "turns" VALUES(7,2,2,'¿Qué quedó a medias?','¿Qué quedó a medias?',NULL,'',NULL,'writing',0,'','feedfacefeedface','2026-03-01T12:22:00+00:00',NULL,'',NULL);
INSERT INTO "turns" VALUES(8,2,3,'¿Registro dañado?','¿Registro dañado?','fixed','',NULL,'complete',0,'m','e2ebc26c6b9b7760','2026-03-01T12:23:00+00:00','2026-03-01T12:24:00+00:00','Queda el texto.','{"version": 1, "text": ');
CREATE INDEX sessions_by_time ON sessions (deleted_at, updated);
CREATE INDEX turns_being_written ON turns (state) WHERE state = 'writing';
CREATE INDEX comparisons_by_session ON comparisons (session);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('turns',8);
INSERT INTO "sqlite_sequence" VALUES('comparisons',2);
COMMIT;
PRAGMA application_id = 1953854575;
PRAGMA user_version = 1;
