//! Fuzz targets, a function each: any input is in order, and only a panic is a finding.
//!
//! Besides not panicking, a text that is read must be written again as it was, and a game must be
//! the same when it is played back.

use std::io::{Cursor, Write};
use std::{fs, iter};

use bot::unpacking::{UnpackError, Upload, UploadBounds, unpack as unpack_bot};
use bots::programs::{ALL, player};
use bots::review::reviewer;
use flate2::Compression;
use flate2::write::GzEncoder;
use record::verify::{VerifyOptions, verify, verify_from};
use record::{GameReader, LogFileError, LogReader, LogWriter, WholeLines};
use rules::custom::instance::Description;
use rules::custom::{
    ChancePool, CustomGame, CustomRulesKind, NoAnswer, RulesId, RulesInstance, RulesSource,
};
use rules::replay::{ReplaySetup, replay};
use rules::request_text::{PlainRequest, game_name};
use rules::{
    Answer, Dialect, Game, GameKind, GameRecord, GameTerms, Measurements, Notes, PerSeat, Referee,
    RefereeInput, Request, Seat, Seed, StandaloneRequest, Step, StopCause, TimeControl, Verdict,
    VoidCause,
};
use tests::chain;

const SEED: Seed = Seed([8; 32]);

/// A function of some bytes.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 8] = [
    ("reply", reply),
    ("request", request),
    ("game", game),
    ("log", log),
    ("gzip", gzip),
    ("verify", chained),
    ("unpack", unpack),
    ("rules", rules),
];

/// Answers of rules that are not compiled in, a piece for each call: they are played, or are a fault.
pub fn rules(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = Description::read(&text);
    for seats in [2, 4] {
        let _ = ::rules::custom::answer::RulesAnswer::read(&text, seats);
    }
    if let Ok(pool) = text.parse::<ChancePool>() {
        assert!(pool.holds(&pool.draw(&mut SEED.nature(0))), "{pool}");
        assert_eq!(pool.to_string(), text);
    }
    let answers: Vec<String> = text.split("\n\n").map(|part| format!("{part}\n")).collect();
    let id = RulesId { carrier: CustomRulesKind::Module, protocol: 1, digest: Default::default() };
    let Ok(game) = CustomGame::open(id, Box::new(Parrot(answers))) else { return };
    let kind = game.into_kind();
    let Ok(options) = kind.check_options("") else { return };
    let mut referee = opened(&kind, &options, 0);
    let mut nature = SEED.nature(0);
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Ask(question) => {
                let mv = question.legal_moves().0.swap_remove(0);
                let _ = question.request();
                let ruling = question.answer(Answer::Output(mv.into_bytes()));
                assert!(matches!(ruling.verdict, Verdict::Ok | Verdict::Void), "{ruling:?}");
            }
            Step::Moved => {}
            Step::Over(_) => break,
        }
    }
}

/// Rules that give one answer after the other, and begin with a description that is in order.
struct Parrot(Vec<String>);

impl RulesSource for Parrot {
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer> {
        let about = "rules 1\nname parrot\nabout it repeats\nseats 2\n".to_owned();
        let answers: Vec<String> = [about].into_iter().chain(self.0.clone()).collect();
        Ok(Box::new(Repeating(answers.into_iter())))
    }
}

struct Repeating(std::vec::IntoIter<String>);

impl RulesInstance for Repeating {
    fn call(&mut self, _call: &str) -> Result<String, NoAnswer> {
        self.0.next().ok_or_else(|| NoAnswer::Rules("it has no more to say".to_owned()))
    }
}

/// The first answer of a game, for every game: it gets a verdict, and `ok` only if it is legal.
pub fn reply(data: &[u8]) {
    for kind in GameKind::ALL {
        let options = kind.check_options("").unwrap_or_default();
        let mut referee = opened(kind, &options, 0);
        let mut nature = SEED.nature(0);
        loop {
            match referee.step() {
                Step::Nature(draw) => draw.draw(&mut nature),
                Step::Ask(question) => {
                    let (legal, _) = question.legal_moves();
                    let ruling = question.answer(Answer::Output(data.to_vec()));
                    let played = rules::answer::line(data).ok().map(one_spelling);
                    let listed = legal.iter().any(|mv| Some(one_spelling(mv)) == played);
                    assert!(!listed || ruling.verdict == Verdict::Ok, "{ruling:?}");
                    assert!(ruling.verdict == Verdict::Ok || !ruling.detail.contains('\n'));
                    break;
                }
                Step::Moved => {}
                Step::Over(outcome) => unreachable!("over before the first move: {outcome:?}"),
            }
        }
    }
}

fn one_spelling(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_ascii_uppercase).collect();
    words.join(" ")
}

/// A text that is read as a request is written as one that reads the same.
pub fn request(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = game_name(text);
    let _ = StandaloneRequest::read(text);
    for program in ALL {
        for kind in GameKind::ALL {
            // Anything may be answered, in a time that fits a fuzzer.
            let options = match program.name {
                "minimax" => &["--depth", "1", "--time", "1ms"][..],
                "expert" => &["--time", "1ms"],
                _ => &[],
            };
            let options: Vec<String> = options.iter().map(ToString::to_string).collect();
            if let Ok(mut player) = player(kind, program.name, &options) {
                let _ = player.answer(text);
            }
        }
    }
    // A puzzle comes as a file, and so may what is reviewed for it.
    let moves = PlainRequest::read(text).map(|request| request.legal).unwrap_or_default();
    for kind in GameKind::ALL {
        if let (Some(mut reviewer), Some(mv)) = (reviewer(kind), moves.last()) {
            let _ = reviewer.review(text, mv, 2);
        }
    }
    macro_rules! reread_all {
        ($($game:ty),*) => { $(reread::<$game>(text);)* };
    }
    rules::games!(reread_all);
}

fn reread<G: Game>(text: &str) {
    match text.parse::<Request<G>>() {
        Ok(request) => {
            let text = request.to_string();
            let again: Request<G> = text.parse().expect("what was written is read");
            assert!(again == request, "{text}");
            assert_eq!(again.to_string(), text);
        }
        Err(problem) => assert!(!problem.to_string().contains('\n'), "{problem}"),
    }
}

/// The bytes choose a game, seats, second chances and every answer: a legal move, junk or a fault.
/// Every request reads back, and the record of the game plays back to itself.
pub fn game(data: &[u8]) {
    let mut bytes = data.iter().copied();
    let mut next = || bytes.next().unwrap_or(0);
    let kind = &GameKind::ALL[usize::from(next()) % GameKind::ALL.len()];
    let seats = usize::from(next()) % 8;
    let Ok(options) = kind.check_options(&format!("seats={seats}")) else { return };
    let retries = u32::from(next() % 3);
    let mut referee = opened(kind, &options, retries);
    let mut nature = SEED.nature(0);
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Ask(question) => {
                request(question.request().as_bytes());
                let (legal, _) = question.legal_moves();
                let choice = next();
                let chosen = || legal[usize::from(choice) % legal.len()].clone().into_bytes();
                question.answer(match next() {
                    255 => Answer::Void(VoidCause::worded("no disk")),
                    254 => Answer::Stopped { by: StopCause::Exit(1), output: chosen() },
                    240..=253 => Answer::Output(vec![choice, b' ', b'\n']),
                    _ => Answer::Output(chosen()),
                });
            }
            Step::Moved => {}
            Step::Over(_) => break,
        }
    }
    let record = record(&mut referee);
    let times = PerSeat::new(referee.seats(), |_| TimeControl::even(1000));
    let dialects = PerSeat::new(referee.seats(), |_| Dialect::Native);
    let setup = ReplaySetup {
        kind: kind.clone(),
        options: &options,
        times,
        dialects,
        retries,
        seed: Some(&SEED),
    };
    let names = PerSeat::from(record.seats.clone());
    let replayed = replay(setup, &record, |referee| drop(referee.narrate(0, &names)));
    assert_eq!(replayed, Ok(()), "{}", serde_json::to_string(&record).unwrap_or_default());
}

/// Any file can be read as a log, verified and shown as far as it goes.
pub fn log(data: &[u8]) {
    let mut reader = LogReader::new(data);
    while let Ok(Some(_)) = reader.next_line() {}
    if let Err(wrong) = verify_from(Cursor::new(data)) {
        assert!(!wrong.to_string().contains('\n'), "{wrong}");
    }
    show(data);
}

/// Any file can be read as a compressed log, verified and written on. The bytes are one, or the lines of one.
pub fn gzip(data: &[u8]) {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
    let compressed = compressed.write_all(data).and_then(|()| compressed.finish());
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("log.jsonl.gz");
    for bytes in [data, &compressed.expect("in memory")] {
        fs::write(&path, bytes).expect("it is ours");
        let lines = |source: &mut dyn Iterator<Item = usize>| source.count();
        let mut reader = LogReader::new(record::open(&path).expect("a file"));
        let read = lines(&mut iter::from_fn(|| reader.next_raw().ok()?.map(|line| line.number())));
        let mut growing = LogReader::new(WholeLines::open(&path).expect("a file"));
        let whole =
            lines(&mut iter::from_fn(|| growing.next_raw().ok()?.map(|line| line.number())));
        // A growing log is decompressed further ahead, where it may be damaged.
        assert!(whole <= read, "{whole} lines are whole, and {read} can be read");
        if let Err(wrong) = verify(&path, VerifyOptions::QUIET) {
            assert!(!wrong.to_string().contains('\n'), "{wrong}");
        }
        if LogWriter::resume(&path, |_| Ok::<_, LogFileError>(())).is_ok() {
            let mut reader = LogReader::new(record::open(&path).expect("a file"));
            while reader.next_raw().expect("whole lines").is_some() {}
            assert_eq!(reader.number(), read);
        }
    }
}

/// The bytes are the contents of lines, which get a chain in which every digest is right: so what
/// is behind the chain is reached.
pub fn chained(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let contents: Vec<String> = chain::contents(text);
    log(chain::chain(&contents).as_bytes());
}

/// The bytes are a bot that a stranger sends, and a tar before it is compressed: either is unpacked into
/// its folder, or refused in a line.
pub fn unpack(data: &[u8]) {
    const BOUNDS: UploadBounds = UploadBounds {
        upload: 1 << 20,
        bytes: 1 << 20,
        ratio: 10,
        entries: 50,
        depth: 4,
        path: 100,
    };
    let mut compressed = GzEncoder::new(Vec::new(), Compression::none());
    let compressed = compressed.write_all(data).and_then(|()| compressed.finish());
    for bytes in [data, &compressed.expect("in memory")] {
        let folder = tempfile::TempDir::new().expect("a folder");
        let into = folder.path().join("in");
        fs::create_dir(&into).expect("it is ours");
        let upload = Upload { content: Cursor::new(bytes), file: Some("bot.py"), bot: "anna" };
        match unpack_bot(upload, &into, BOUNDS) {
            Ok(bot) => assert!(bot.starts_with(&into) && bot.join("bot.toml").is_file()),
            Err(UnpackError::BadArchive(why)) => {
                assert!(!why.to_string().contains(|c: char| c.is_control()), "{why:?}");
            }
            Err(UnpackError::Failed(error)) => unreachable!("the machine is blamed: {error}"),
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}

/// Derives every game of a log again, as when it is shown.
fn show(data: &[u8]) {
    let Ok(mut games) = GameReader::new(data) else { return };
    while let Ok(Some(next)) = games.next_game() {
        let game = next.game;
        let names = PerSeat::from(game.seats.clone());
        let tell = |referee: &Referee| {
            // The narration goes to a terminal.
            let text = referee.narrate(0, &names);
            let is_plain = |c: char| c == '\n' || !c.is_control();
            assert!(
                !names.values().iter().all(|name| name.chars().all(is_plain))
                    || text.chars().all(is_plain),
                "{text:?}"
            );
        };
        let _ = replay(games.series().setup(&game, None), &game, tell);
        for measured in &game.measured {
            let notes = measured.notes();
            assert!(notes.iter().count() <= Notes::MOST, "{notes:?}");
        }
    }
}

fn opened(kind: &GameKind, options: &str, retries: u32) -> Referee {
    let seats = kind.seats(options).expect("the options were checked");
    let terms = GameTerms { retries, ..GameTerms::even(SEED.name(0), seats, 1000, SEED.bots(0)) };
    Referee::new(kind, options, terms).expect("the options were checked")
}

fn record(referee: &mut Referee) -> GameRecord {
    let result = match referee.step() {
        Step::Over(outcome) => outcome.clone(),
        _ => unreachable!("the game is not over"),
    };
    let answers = referee.inputs().iter().filter_map(RefereeInput::answer);
    GameRecord {
        game: 0,
        attempt: 0,
        deal: 0,
        id: SEED.name(0),
        seats: Seat::first(referee.seats()).map(|seat| format!("player {seat}")).collect(),
        bot_seeds: SEED.bots(0),
        inputs: referee.inputs().to_vec(),
        events: referee.history(0),
        pools: referee.pools().to_vec(),
        result,
        measured: answers.map(|_| Measurements::default()).collect(),
        machine: None,
    }
}
