CREATE TABLE public.api_keys (
    id integer NOT NULL,
    name text NOT NULL,
    digest character varying(64) NOT NULL,
    made_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);
CREATE SEQUENCE public.api_keys_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.api_keys_id_seq OWNED BY public.api_keys.id;
CREATE TABLE public.entries (
    table_id integer NOT NULL,
    game_id integer NOT NULL,
    number integer NOT NULL,
    sequence integer NOT NULL,
    at timestamp with time zone NOT NULL,
    source character varying(10) NOT NULL,
    deed character varying(10) NOT NULL,
    action text NOT NULL,
    target integer NOT NULL,
    note text NOT NULL,
    rule character varying(20) NOT NULL,
    evidence character varying(120) NOT NULL,
    device character varying(60) NOT NULL,
    seat integer NOT NULL,
    dice text NOT NULL,
    taken_at timestamp with time zone NOT NULL
);
CREATE TABLE public.fixture_games (
    table_id integer NOT NULL,
    game_id integer NOT NULL,
    tournament_id integer NOT NULL,
    fixture integer NOT NULL
);
CREATE TABLE public.fixture_tables (
    id integer NOT NULL,
    table_id integer NOT NULL,
    tournament_id integer NOT NULL,
    fixture integer NOT NULL,
    played integer NOT NULL,
    invitation json NOT NULL
);
CREATE SEQUENCE public.fixture_tables_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.fixture_tables_id_seq OWNED BY public.fixture_tables.id;
CREATE TABLE public.games (
    table_id integer NOT NULL,
    game_id integer NOT NULL,
    game character varying(40) NOT NULL,
    players json NOT NULL,
    options json NOT NULL,
    die_set character varying(40) NOT NULL,
    die_set_file text DEFAULT ''::text NOT NULL,
    sheets json NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    clock_doubted boolean DEFAULT false NOT NULL,
    clock_off_s double precision,
    standing character varying(12) NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    entries integer DEFAULT 0 NOT NULL,
    sequence integer DEFAULT 0 NOT NULL,
    scores json NOT NULL,
    winner json NOT NULL,
    taken_at timestamp with time zone NOT NULL
);
CREATE TABLE public.hall_schema (
    version integer NOT NULL
);
CREATE TABLE public.players (
    id integer NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.players_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.players_id_seq OWNED BY public.players.id;
CREATE TABLE public.quarantined_lines (
    table_id integer NOT NULL,
    sequence integer NOT NULL,
    kind character varying(10) NOT NULL,
    body text NOT NULL,
    reason text NOT NULL,
    taken_at timestamp with time zone NOT NULL
);
CREATE TABLE public.seats (
    table_id integer NOT NULL,
    game_id integer NOT NULL,
    seat integer NOT NULL,
    player_id integer NOT NULL,
    game character varying(40) NOT NULL,
    score bigint DEFAULT '0'::bigint NOT NULL,
    won boolean DEFAULT false NOT NULL,
    finished boolean DEFAULT false NOT NULL,
    ended_at timestamp with time zone
);
CREATE TABLE public.tables (
    id integer NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    key_digest character varying(64) NOT NULL,
    link character varying(40) NOT NULL,
    paired_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    standing character varying(12) NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    taken integer DEFAULT 0 NOT NULL,
    head_hash character varying(64) DEFAULT ''::character varying NOT NULL,
    clock_off_s double precision DEFAULT '0'::double precision NOT NULL,
    version character varying(40) DEFAULT ''::character varying NOT NULL,
    node text DEFAULT ''::text NOT NULL,
    seen_at timestamp with time zone
);
CREATE SEQUENCE public.tables_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tables_id_seq OWNED BY public.tables.id;
CREATE TABLE public.tournament_decisions (
    id integer NOT NULL,
    tournament_id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    organiser text NOT NULL,
    decision character varying(20) NOT NULL,
    about text NOT NULL
);
CREATE SEQUENCE public.tournament_decisions_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tournament_decisions_id_seq OWNED BY public.tournament_decisions.id;
CREATE TABLE public.tournaments (
    id integer NOT NULL,
    name text NOT NULL,
    state text NOT NULL,
    version integer NOT NULL,
    decided_in integer NOT NULL,
    made_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone
);
CREATE SEQUENCE public.tournaments_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tournaments_id_seq OWNED BY public.tournaments.id;
CREATE TABLE public.waiting_players (
    table_id integer NOT NULL,
    player_id integer NOT NULL,
    joined_at timestamp with time zone NOT NULL
);
CREATE TABLE public.waiting_secrets (
    table_id integer NOT NULL,
    player_id integer NOT NULL,
    digest character varying(64) NOT NULL
);
ALTER TABLE ONLY public.api_keys ALTER COLUMN id SET DEFAULT nextval('public.api_keys_id_seq'::regclass);
ALTER TABLE ONLY public.fixture_tables ALTER COLUMN id SET DEFAULT nextval('public.fixture_tables_id_seq'::regclass);
ALTER TABLE ONLY public.players ALTER COLUMN id SET DEFAULT nextval('public.players_id_seq'::regclass);
ALTER TABLE ONLY public.tables ALTER COLUMN id SET DEFAULT nextval('public.tables_id_seq'::regclass);
ALTER TABLE ONLY public.tournament_decisions ALTER COLUMN id SET DEFAULT nextval('public.tournament_decisions_id_seq'::regclass);
ALTER TABLE ONLY public.tournaments ALTER COLUMN id SET DEFAULT nextval('public.tournaments_id_seq'::regclass);
INSERT INTO public.entries VALUES (1, 1, 1, 2, '2026-11-24 02:36:34.90301+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 2, 3, '2026-11-24 02:36:34.903138+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 3, 4, '2026-11-24 02:36:34.903233+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:red tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 4, 5, '2026-11-24 02:36:34.903299+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 5, 6, '2026-11-24 02:36:34.903383+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 6, 7, '2026-11-24 02:36:34.903464+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 7, 8, '2026-11-24 02:36:34.903524+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 8, 9, '2026-11-24 02:36:34.903612+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 9, 10, '2026-11-24 02:36:34.903687+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 10, 11, '2026-11-24 02:36:34.903756+00', 'camera', 'play', '2 roll tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 11, 12, '2026-11-24 02:36:34.903834+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 12, 13, '2026-11-24 02:36:34.90389+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 13, 14, '2026-11-24 02:36:34.90396+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 14, 15, '2026-11-24 02:36:34.904023+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:red tossup:red', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 15, 16, '2026-11-24 02:36:34.904083+00', 'camera', 'play', '2 roll tossup:green tossup:red', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 16, 17, '2026-11-24 02:36:34.904136+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 17, 18, '2026-11-24 02:36:34.904269+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 18, 19, '2026-11-24 02:36:34.904336+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 19, 20, '2026-11-24 02:36:34.904389+00', 'camera', 'play', '1 roll tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 20, 21, '2026-11-24 02:36:34.944824+00', 'camera', 'play', '1 roll tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 21, 22, '2026-11-24 02:36:34.944942+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 22, 23, '2026-11-24 02:36:34.945009+00', 'camera', 'play', '2 roll tossup:green tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 23, 24, '2026-11-24 02:36:34.945079+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 24, 25, '2026-11-24 02:36:34.945153+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 25, 26, '2026-11-24 02:36:34.945215+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 26, 27, '2026-11-24 02:36:34.945268+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 27, 28, '2026-11-24 02:36:34.945336+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 28, 29, '2026-11-24 02:36:34.945398+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 29, 30, '2026-11-24 02:36:34.945449+00', 'camera', 'play', '2 roll tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 30, 31, '2026-11-24 02:36:34.945507+00', 'camera', 'play', '2 roll tossup:green', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 31, 32, '2026-11-24 02:36:34.945576+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 32, 33, '2026-11-24 02:36:34.945634+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 33, 34, '2026-11-24 02:36:34.94569+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 34, 35, '2026-11-24 02:36:34.945759+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 35, 36, '2026-11-24 02:36:34.945817+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 36, 37, '2026-11-24 02:36:34.94587+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 37, 38, '2026-11-24 02:36:34.945932+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 38, 39, '2026-11-24 02:36:34.945986+00', 'camera', 'play', '2 roll tossup:green tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 39, 40, '2026-11-24 02:36:34.946084+00', 'camera', 'play', '2 roll tossup:green tossup:green', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 40, 41, '2026-11-24 02:36:34.949732+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 41, 42, '2026-11-24 02:36:34.94986+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 42, 43, '2026-11-24 02:36:34.949923+00', 'camera', 'play', '2 roll tossup:green tossup:red', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 43, 44, '2026-11-24 02:36:34.94998+00', 'camera', 'play', '2 roll tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 44, 45, '2026-11-24 02:36:34.950044+00', 'camera', 'play', '2 roll tossup:red', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 45, 46, '2026-11-24 02:36:34.950119+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 46, 47, '2026-11-24 02:36:34.950184+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 47, 48, '2026-11-24 02:36:34.950244+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 48, 49, '2026-11-24 02:36:34.950314+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 49, 50, '2026-11-24 02:36:34.95038+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 50, 51, '2026-11-24 02:36:34.950472+00', 'camera', 'play', '2 roll tossup:green tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 51, 52, '2026-11-24 02:36:34.950523+00', 'camera', 'play', '2 roll tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 52, 53, '2026-11-24 02:36:34.950569+00', 'camera', 'play', '2 roll tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 53, 54, '2026-11-24 02:36:34.959145+00', 'camera', 'play', '2 roll tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 54, 55, '2026-11-24 02:36:34.959318+00', 'camera', 'play', '2 roll tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 55, 56, '2026-11-24 02:36:34.959397+00', 'camera', 'play', '2 roll tossup:green', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 56, 57, '2026-11-24 02:36:34.959476+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 57, 58, '2026-11-24 02:36:34.959541+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 58, 59, '2026-11-24 02:36:34.959618+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 59, 60, '2026-11-24 02:36:34.959683+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 60, 61, '2026-11-24 02:36:34.959739+00', 'camera', 'play', '1 roll tossup:green', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 61, 62, '2026-11-24 02:36:34.959796+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 62, 63, '2026-11-24 02:36:34.959922+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 63, 64, '2026-11-24 02:36:34.959986+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 64, 65, '2026-11-24 02:36:34.960044+00', 'camera', 'play', '2 roll tossup:green tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 65, 66, '2026-11-24 02:36:34.960096+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 66, 67, '2026-11-24 02:36:34.960162+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 67, 68, '2026-11-24 02:36:34.960217+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 68, 69, '2026-11-24 02:36:34.960283+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:red tossup:red', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 69, 70, '2026-11-24 02:36:34.960343+00', 'camera', 'play', '2 roll tossup:green tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 70, 71, '2026-11-24 02:36:34.960395+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 71, 72, '2026-11-24 02:36:34.986561+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 72, 73, '2026-11-24 02:36:34.986665+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 73, 74, '2026-11-24 02:36:34.986737+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 74, 75, '2026-11-24 02:36:34.986814+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 75, 76, '2026-11-24 02:36:34.986881+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 76, 77, '2026-11-24 02:36:34.986946+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 77, 78, '2026-11-24 02:36:34.987003+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 78, 79, '2026-11-24 02:36:34.987072+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 79, 80, '2026-11-24 02:36:34.987135+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 80, 81, '2026-11-24 02:36:34.987192+00', 'camera', 'play', '1 roll tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 81, 82, '2026-11-24 02:36:34.987244+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 82, 83, '2026-11-24 02:36:34.987313+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 83, 84, '2026-11-24 02:36:34.987375+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 84, 85, '2026-11-24 02:36:34.987492+00', 'camera', 'play', '2 roll tossup:green tossup:red tossup:red tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 85, 86, '2026-11-24 02:36:34.987548+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 86, 87, '2026-11-24 02:36:34.987616+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 87, 88, '2026-11-24 02:36:34.987683+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 88, 89, '2026-11-24 02:36:34.987773+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 89, 90, '2026-11-24 02:36:34.987849+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 90, 91, '2026-11-24 02:36:34.9879+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 91, 92, '2026-11-24 02:36:34.987969+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 92, 93, '2026-11-24 02:36:34.988032+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 93, 94, '2026-11-24 02:36:34.988082+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 94, 95, '2026-11-24 02:36:34.988151+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 95, 96, '2026-11-24 02:36:34.988201+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 96, 97, '2026-11-24 02:36:34.988266+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 97, 98, '2026-11-24 02:36:34.988321+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 98, 99, '2026-11-24 02:36:34.988387+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 99, 100, '2026-11-24 02:36:35.001182+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 100, 101, '2026-11-24 02:36:35.001321+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 101, 102, '2026-11-24 02:36:35.001396+00', 'camera', 'play', '1 roll tossup:green', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 102, 103, '2026-11-24 02:36:35.00146+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 103, 104, '2026-11-24 02:36:35.001533+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 104, 105, '2026-11-24 02:36:35.001612+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 105, 106, '2026-11-24 02:36:35.001744+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 1, 106, 107, '2026-11-24 02:36:35.001815+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 2, 1, 110, '2026-11-24 02:36:37.309+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:red tossup:red tossup:red tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 2, 2, 111, '2026-11-24 02:36:37.3091+00', 'tablet', 'play', '1 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 2, 3, 112, '2026-11-24 02:36:37.309177+00', 'camera', 'play', '2 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow tossup:yellow tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 2, 4, 113, '2026-11-24 02:36:37.309238+00', 'tablet', 'play', '2 end', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 2, 5, 114, '2026-11-24 02:36:37.309458+00', 'camera', 'play', '1 roll tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:green tossup:yellow tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.entries VALUES (1, 2, 6, 115, '2026-11-24 02:36:37.309524+00', 'camera', 'play', '1 roll tossup:green tossup:yellow', 0, '', '', '', '', 0, '', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.games VALUES (1, 1, 'toss-up', '["Ann", "Bob"]', '{}', 'toss-up', '', '{}', '2026-11-24 02:36:35.004737+00', '2026-11-24 02:36:35.001815+00', false, -0.035611, 'over', '', 0, 108, '[105, 102]', '[1]', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.games VALUES (1, 2, 'toss-up', '["Cid", "Ann"]', '{}', 'toss-up', '', '{}', '2026-11-24 02:36:37.233281+00', NULL, false, -0.035611, 'going', '', 0, 115, '[5, 5]', '[]', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.hall_schema VALUES (1);
INSERT INTO public.players VALUES (1, 'Ann', 'ann', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.players VALUES (2, 'Bob', 'bob', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.players VALUES (3, 'Cid', 'cid', '2026-11-24 02:36:37.555838+00');
INSERT INTO public.seats VALUES (1, 1, 1, 1, 'toss-up', 105, true, true, '2026-11-24 02:36:35.001815+00');
INSERT INTO public.seats VALUES (1, 1, 2, 2, 'toss-up', 102, false, true, '2026-11-24 02:36:35.001815+00');
INSERT INTO public.seats VALUES (1, 2, 1, 3, 'toss-up', 5, false, false, NULL);
INSERT INTO public.seats VALUES (1, 2, 2, 1, 'toss-up', 5, false, false, NULL);
INSERT INTO public.tables VALUES (1, 'Table 1', 'table 1', 'ad60eef0e9f956078dbdc9afdf6f37ff78c816b9baf91232c007a38e6d29e2fa', 'a03fecc0aa0ea8d1332918db0ca6837c', '2026-11-24 02:36:34.689193+00', NULL, 'live', '', 115, '4d4ddc01c83a56cdb8e2ddeda7635e6d7e952316f89e72b9f344e74480df9de6', -0.035611, '0.1.0', '', '2026-11-24 02:36:37.555838+00');
SELECT pg_catalog.setval('public.api_keys_id_seq', 1, false);
SELECT pg_catalog.setval('public.fixture_tables_id_seq', 1, false);
SELECT pg_catalog.setval('public.players_id_seq', 3, true);
SELECT pg_catalog.setval('public.tables_id_seq', 1, true);
SELECT pg_catalog.setval('public.tournament_decisions_id_seq', 1, false);
SELECT pg_catalog.setval('public.tournaments_id_seq', 1, false);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_name_key UNIQUE (name);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (table_id, game_id, number);
ALTER TABLE ONLY public.fixture_games
    ADD CONSTRAINT fixture_games_pkey PRIMARY KEY (table_id, game_id);
ALTER TABLE ONLY public.fixture_tables
    ADD CONSTRAINT fixture_tables_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fixture_tables
    ADD CONSTRAINT fixture_tables_table_id_key UNIQUE (table_id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_pkey PRIMARY KEY (table_id, game_id);
ALTER TABLE ONLY public.hall_schema
    ADD CONSTRAINT hall_schema_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT players_name_key_key UNIQUE (name_key);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT players_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.quarantined_lines
    ADD CONSTRAINT quarantined_lines_pkey PRIMARY KEY (table_id, sequence);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (table_id, game_id, seat);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_key_digest_key UNIQUE (key_digest);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tournament_decisions
    ADD CONSTRAINT tournament_decisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT tournaments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.waiting_players
    ADD CONSTRAINT waiting_players_pkey PRIMARY KEY (table_id, player_id);
ALTER TABLE ONLY public.waiting_secrets
    ADD CONSTRAINT waiting_secrets_pkey PRIMARY KEY (table_id, player_id);
CREATE INDEX decisions_by_tournament ON public.tournament_decisions USING btree (tournament_id, id);
CREATE INDEX fixture_games_by_tournament ON public.fixture_games USING btree (tournament_id);
CREATE INDEX games_by_end ON public.games USING btree (ended_at);
CREATE INDEX games_going ON public.games USING btree (table_id, sequence);
CREATE INDEX ix_waiting_secrets_digest ON public.waiting_secrets USING btree (digest);
CREATE UNIQUE INDEX one_line_once ON public.entries USING btree (table_id, sequence);
CREATE UNIQUE INDEX one_table_a_name ON public.tables USING btree (name_key) WHERE (removed_at IS NULL);
CREATE INDEX seats_by_game ON public.seats USING btree (game, ended_at);
CREATE INDEX seats_by_player ON public.seats USING btree (player_id, ended_at);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_table_id_game_id_fkey FOREIGN KEY (table_id, game_id) REFERENCES public.games(table_id, game_id);
ALTER TABLE ONLY public.fixture_games
    ADD CONSTRAINT fixture_games_table_id_game_id_fkey FOREIGN KEY (table_id, game_id) REFERENCES public.games(table_id, game_id);
ALTER TABLE ONLY public.fixture_games
    ADD CONSTRAINT fixture_games_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.fixture_tables
    ADD CONSTRAINT fixture_tables_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.fixture_tables
    ADD CONSTRAINT fixture_tables_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.quarantined_lines
    ADD CONSTRAINT quarantined_lines_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_table_id_game_id_fkey FOREIGN KEY (table_id, game_id) REFERENCES public.games(table_id, game_id);
ALTER TABLE ONLY public.tournament_decisions
    ADD CONSTRAINT tournament_decisions_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.waiting_players
    ADD CONSTRAINT waiting_players_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.waiting_players
    ADD CONSTRAINT waiting_players_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.waiting_secrets
    ADD CONSTRAINT waiting_secrets_table_id_player_id_fkey FOREIGN KEY (table_id, player_id) REFERENCES public.waiting_players(table_id, player_id) ON DELETE CASCADE;
