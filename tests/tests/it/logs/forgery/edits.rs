//! Edits of a forger to a log: those that are found, and those that are not.

use std::time::Duration;

use bot::manifest::ProgramMode;
use record::Line;
use rules::Digest;
use rules::{
    AnswerRecord, EscapedBytes, GameRecord, Outcome, RefereeInput, Score, Seat, Seed, Verdict,
};
use sandbox::isolation::Isolation;
use sandbox::{Limits, PonderPermission};
use series::{End, Header, IsolationLine, PlayerKind, SuspectGames};

/// A log as its lines, and what a forger makes of them.
pub(crate) type Lines = Vec<Line>;

pub(crate) type Edit = fn(&mut Lines);

const MILLISECOND: Duration = Duration::from_millis(1);

/// An edit that must be found.
pub(crate) struct Found {
    pub(crate) what: &'static str,
    pub(crate) line: usize,
    /// Every one of these is in what verification says.
    pub(crate) says: &'static [&'static str],
    pub(crate) edit: Edit,
}

fn found(what: &'static str, line: usize, says: &'static [&'static str], edit: Edit) -> Found {
    Found { what, line, says, edit }
}

/// The lines are the header, games 0, 1 and 2, and the end; seat 1 crashes in the games 0 and 2.
pub(crate) fn found_by_derivation() -> Vec<Found> {
    vec![
        found("format", 1, &["format 2"], |log| header(log).format = 2),
        found("game", 1, &["a game that this build knows", "whist"], |log| {
            header(log).game = "whist".into();
        }),
        found("options", 1, &["2 players for 3 seats"], |log| {
            header(log).options = "seats=3".into();
        }),
        found("spelling of the options", 1, &["options", "seats=2"], |log| {
            header(log).options = "seats=2 seats=2".into();
        }),
        found("options of no game", 1, &["48 seats for tablic"], |log| {
            header(log).options = "seats=5".into();
        }),
        found("games in the header", 5, &["3 of 4 games"], |log| header(log).games = 4),
        found("commitment", 1, &["a different seed"], |log| {
            header(log).commitment = Digest::hash(b"")
        }),
        found("a player's name", 2, &["seat 0 is not a's"], |log| {
            header(log).players[0].name = "c".into();
        }),
        found("two players of one name", 1, &["two players called `a`"], |log| {
            header(log).players[1].name = "a".into();
        }),
        found("a name as long as a page", 1, &["not a valid name"], |log| {
            header(log).players[0].name = "x".repeat(70_000);
        }),
        found("players swapped", 2, &["seat 0 is not a's"], |log| header(log).players.swap(0, 1)),
        found("a player too many", 1, &["3 players for 2 seats"], |log| {
            header(log).players.extend_from_within(..1);
        }),
        found("no players", 1, &["0 players for 2 seats"], |log| header(log).players.clear()),
        found("number of a game", 3, &["game 1 was expected"], |log| game(log, 1).game = 7),
        found("deal", 3, &["game 1 was expected"], |log| game(log, 1).deal = 0),
        found("id", 3, &["game 1, heading", "name of the game"], |log| game(log, 1).id.0[3] ^= 1),
        found("bot_seeds", 4, &["bots' seeds"], |log| game(log, 2).bot_seeds.0[31] ^= 1),
        found("seats of a game swapped", 3, &["seat 0 is not a's"], |log| {
            game(log, 1).seats.swap(0, 1);
        }),
        found("a seat name", 2, &["seat 1 is not c's"], |log| game(log, 0).seats[1] = "c".into()),
        found("a seat too many", 2, &["2 seats, 3 names"], |log| {
            game(log, 0).seats.push("a".into());
        }),
        found("a card of a deal", 3, &["draw 1", "the seed gives"], |log| swap_cards(game(log, 1))),
        found("cards of two deals swapped", 2, &["draw 1", "the seed gives"], |log| {
            game(log, 0).inputs.swap(1, 2);
        }),
        found("a deal left out", 3, &["draw 2", "expected cards to be dealt"], |log| {
            drop(game(log, 1).inputs.remove(2));
        }),
        found("two answers swapped", 3, &["move 0", "the logged request"], |log| {
            swap_answers(game(log, 1), 0, 2);
        }),
        found("two legal replies swapped", 3, &["move 1", "the logged request"], |log| {
            let (one, other) = (reply(log, 0), reply(log, 2));
            answer(game(log, 1), 0).reply = other;
            answer(game(log, 1), 2).reply = one;
        }),
        found("an illegal reply", 2, &["move 0", "logged as ok, but is illegal"], |log| {
            answer(game(log, 0), 0).reply.0 = b"KS KC KD".to_vec();
        }),
        found("a malformed reply", 2, &["move 0", "logged as ok, but is malformed"], |log| {
            answer(game(log, 0), 0).reply.0 = b"7\xff".to_vec();
        }),
        found("an answer left out", 3, &["move", "expected"], |log| {
            drop(take_answer(game(log, 1), 3));
        }),
        found("an answer doubled", 3, &["move 4", "expected an answer of seat 0, found"], |log| {
            double_answer(game(log, 1), 3);
        }),
        found("an answer after the end", 3, &["result", "expected the end of the game"], |log| {
            let last = game(log, 1).inputs.last().cloned();
            game(log, 1).inputs.extend(last);
        }),
        found("the seat of an answer", 3, &["move 2", "expected an answer of seat"], |log| {
            answer(game(log, 1), 2).seat = Seat::first(2).last().expect("two seats");
        }),
        found(
            "a verdict of ok made illegal",
            3,
            &["move 3", "logged as illegal, but is ok"],
            |log| answer(game(log, 1), 3).verdict = Verdict::Illegal,
        ),
        found(
            "a verdict of crash made ok",
            2,
            &["move 5", "logged as ok, but is no-answer"],
            |log| answer(game(log, 0), 5).verdict = Verdict::Ok,
        ),
        found(
            "a verdict of crash made timeout",
            2,
            &["event", "out 1 crash", "out 1 timeout"],
            |log| answer(game(log, 0), 5).verdict = Verdict::Timeout,
        ),
        found("a verdict of crash made void", 2, &["event"], |log| {
            answer(game(log, 0), 5).verdict = Verdict::Void;
        }),
        found("detail of an ok answer", 3, &["move 0", "the reason is logged as"], |log| {
            answer(game(log, 1), 0).detail = "well played".into();
        }),
        found("an event", 2, &["event 3", "is logged, the inputs give"], |log| {
            game(log, 0).events[3] = "0 2C 2D".into();
        }),
        found("an event left out", 3, &["event"], |log| drop(game(log, 1).events.remove(0))),
        found("an event added", 4, &["event", "events logged"], |log| {
            game(log, 2).events.push("out 0 crash".into());
        }),
        found("a score", 2, &["result", "points 25 0"], |log| {
            score(game(log, 0), 0, Score::points(24));
        }),
        found("a score of the loser", 4, &["result"], |log| {
            score(game(log, 2), 1, Score::points(1));
        }),
        found("the ending", 2, &["result"], |log| {
            game(log, 0).result = Outcome::Void { reason: "lightning".into() }
        }),
        found("who is out", 2, &["result"], |log| out(game(log, 0), 1, None)),
        found("why a seat is out", 2, &["result", "timeout"], |log| {
            out(game(log, 0), 1, Some(Verdict::Timeout));
        }),
        found("no scores", 2, &["result"], |log| {
            if let Outcome::Walkover { scores, .. } = &mut game(log, 0).result {
                *scores = Vec::new().into();
            }
        }),
        found("a score too many", 3, &["result"], |log| {
            if let Outcome::Played { scores, .. } = &mut game(log, 1).result {
                *scores = [scores.values(), &[Score::ZERO]].concat().into();
            }
        }),
        found("a fault too few", 3, &["result"], |log| {
            if let Outcome::Played { out, .. } = &mut game(log, 1).result {
                *out = vec![None].into();
            }
        }),
        found("a measurement too many", 3, &["measured"], |log| {
            let game = game(log, 1);
            game.measured.extend(game.measured.last().cloned());
        }),
        found("a measurement left out", 2, &["measured", "6 answers, 5 measured"], |log| {
            drop(game(log, 0).measured.pop());
        }),
        found("seed", 1, &["commits to a different seed"], |log| seed(log).0[0] ^= 1),
        found("seed and commitment", 2, &["game 0, heading"], |log| {
            seed(log).0[0] ^= 1;
            header(log).commitment = Digest::hash(&seed(log).0);
        }),
        found("entropy", 2, &["game 0, heading"], |log| {
            header(log).entropy.push("words of mine".into());
        }),
        found("time limit", 2, &["move 0", "the logged request"], |log| {
            limits(log).time = MILLISECOND
        }),
        found("digest of a request", 3, &["move 3", "the logged request"], |log| {
            answer(game(log, 1), 3).asked.0[31] ^= 1;
        }),
        found("seed left out", 5, &["must reveal the seed"], |log| end(log).seed = None),
        found("attempt at a game", 3, &["is attempt 1 at it, expected 0"], |log| {
            game(log, 1).attempt = 1;
        }),
        found("a second attempt at a game that counts", 3, &["game 1 was expected"], |log| {
            double(log, 1, 2);
            game(log, 1).attempt = 1;
        }),
        found("a game made void, and another attempt at it", 2, &["result"], |log| {
            double(log, 1, 2);
            game(log, 0).result = Outcome::Void { reason: "no luck".into() };
            game(log, 1).attempt = 1;
        }),
        found("games at the end", 5, &["after 3 of 3 games, and says 2"], |log| end(log).games = 2),
        found("points at the end", 5, &["points that do not match"], |log| {
            end(log).points[0] = Score::points(1);
        }),
        found("points at the end swapped", 5, &["points that do not match"], |log| {
            end(log).points.swap(0, 1)
        }),
        found("no points at the end", 5, &["points that do not match"], |log| {
            end(log).points.clear()
        }),
        found("the last game removed", 4, &["after 2 of 3 games"], |log| drop(log.remove(3))),
        found("the first game removed", 2, &["game 0 was expected"], |log| drop(log.remove(1))),
        found("two games swapped", 2, &["game 0 was expected"], |log| log.swap(1, 2)),
        found("a game doubled", 4, &["game 2 was expected"], |log| double(log, 2, 3)),
        found("the header removed", 1, &["is not the header"], |log| drop(log.remove(0))),
        found("the header doubled", 2, &["is a second header"], |log| double(log, 0, 1)),
        found("the end removed", 5, &["is missing", "3 of 3 games"], |log| drop(log.pop())),
        found("the end doubled", 6, &["after the end"], |log| double(log, 4, 5)),
        found("a game after the end", 6, &["after the end"], |log| double(log, 1, 5)),
        found("the end moved up", 4, &["after 2 of 3 games"], |log| log.swap(3, 4)),
    ]
}

/// Edits that nothing contradicts: what they touch was seen once and cannot be derived.
pub(crate) const NOT_FOUND: &[(&str, Edit)] = &[
    ("version of the program", |log| header(log).version = "9.9.9".into()),
    ("that nothing was measured", |log| header(log).answering = PlayerKind::InProcess),
    ("command of a player", |log| header(log).players[0].command = "other".into()),
    ("digest of a player's file", |log| header(log).players[0].files[0].sha256 = Digest::hash(b"")),
    ("list of a player's files", |log| header(log).players[0].files.clear()),
    ("permission of a player", |log| header(log).players[0].granted.network = true),
    ("life of a player's program", |log| header(log).players[0].mode = ProgramMode::Resident),
    ("isolation", |log| {
        let (on, refused) = (Vec::new(), Default::default());
        header(log).isolation = Some(IsolationLine { asked: Isolation::Strict, on, refused });
    }),
    ("permission to think during the turns of others", |log| {
        header(log).ponder = PonderPermission::Allowed
    }),
    ("limit of CPU time", |log| limits(log).cpu = Some(MILLISECOND)),
    ("limit of memory", |log| limits(log).memory = 1),
    ("limit of address space", |log| limits(log).address_space = Some(1)),
    ("limit of processes", |log| limits(log).processes = 1),
    ("limit of files", |log| limits(log).file_bytes = 1),
    ("limit of open files", |log| limits(log).open_files = 1),
    ("limit of answers", |log| limits(log).answer_bytes = 1),
    ("limit of standard error", |log| limits(log).stderr_bytes = 1),
    ("second chances that nobody needed", |log| header(log).retries = 1),
    ("suspect games to be played again", |log| {
        header(log).suspect_games = SuspectGames::PlayAgain;
    }),
    ("CPU response time", |log| game(log, 0).measured[0].cpu_ms = Some(0.001)),
    ("wait of an answer", |log| game(log, 0).measured[0].waited_ms = Some(5000.0)),
    ("escaped processes of an answer", |log| game(log, 0).measured[0].escaped = 7),
    ("response time", |log| game(log, 0).measured[0].ms = 0.001),
    ("standard error of an answer", |log| {
        game(log, 0).measured[0].stderr = b"fine".to_vec().into()
    }),
    ("count of dropped standard error", |log| game(log, 0).measured[0].stderr_dropped = 5),
    ("spelling of a reply", |log| answer(game(log, 0), 0).reply.0.insert(0, b' ')),
    ("what was printed before a crash", |log| answer(game(log, 0), 5).reply.0 = b"7S".to_vec()),
    ("detail of a crash", |log| answer(game(log, 0), 5).detail = "exit 2".into()),
    ("crash made timeout in all places", |log| {
        let game = game(log, 0);
        answer(game, 5).verdict = Verdict::Timeout;
        out(game, 1, Some(Verdict::Timeout));
        game.events
            .iter_mut()
            .for_each(|event| *event = event.replace("out 1 crash", "out 1 timeout"));
    }),
    ("a player's name in all places", |log| {
        header(log).players[0].name = "c".into();
        (0..3).for_each(|number| {
            game(log, number)
                .seats
                .iter_mut()
                .filter(|name| *name == "a")
                .for_each(|name| *name = "c".into());
        });
    }),
];

fn header(log: &mut Lines) -> &mut Header {
    match &mut log[0] {
        Line::Header(header) => header,
        other => unreachable!("{other:?}"),
    }
}

fn limits(log: &mut Lines) -> &mut Limits {
    &mut header(log).players[0].limits
}

fn game(log: &mut Lines, number: usize) -> &mut GameRecord {
    match &mut log[number + 1] {
        Line::Game(game) => game,
        other => unreachable!("{other:?}"),
    }
}

fn end(log: &mut Lines) -> &mut End {
    match log.last_mut() {
        Some(Line::End(end)) => end,
        other => unreachable!("{other:?}"),
    }
}

fn seed(log: &mut Lines) -> &mut Seed {
    &mut end(log).seed.as_mut().expect("a whole match reveals it").0
}

fn place_of_answer(game: &GameRecord, number: usize) -> usize {
    let answers =
        game.inputs.iter().enumerate().filter(|(_, it)| matches!(it, RefereeInput::Answer(_)));
    answers.map(|(place, _)| place).nth(number).expect("so many answers")
}

fn answer(game: &mut GameRecord, number: usize) -> &mut AnswerRecord {
    let place = place_of_answer(game, number);
    match &mut game.inputs[place] {
        RefereeInput::Answer(answer) => answer,
        RefereeInput::Chance(chance) => unreachable!("{chance}"),
    }
}

fn reply(log: &mut Lines, number: usize) -> EscapedBytes {
    answer(game(log, 1), number).reply.clone()
}

fn swap_answers(game: &mut GameRecord, one: usize, other: usize) {
    let (one, other) = (place_of_answer(game, one), place_of_answer(game, other));
    game.inputs.swap(one, other);
}

fn take_answer(game: &mut GameRecord, number: usize) -> RefereeInput {
    let place = place_of_answer(game, number);
    game.inputs.remove(place)
}

fn double_answer(game: &mut GameRecord, number: usize) {
    let answer = take_answer(game, number);
    let place = place_of_answer(game, number);
    game.inputs.splice(place..place, [answer.clone(), answer]);
}

fn double(log: &mut Lines, from: usize, to: usize) {
    let same = log[from].clone();
    log.insert(to, same);
}

/// Swaps the last cards of the two hands that are dealt first.
fn swap_cards(game: &mut GameRecord) {
    let [_, RefereeInput::Chance(one), RefereeInput::Chance(other), ..] = &mut game.inputs[..]
    else {
        unreachable!("a game begins with three deals")
    };
    let card = |deal: &str| deal.rsplit(' ').next().unwrap_or_default().to_owned();
    let (mine, yours) = (card(one), card(other));
    *one = one.replace(&mine, &yours);
    *other = other.replace(&yours, &mine);
}

fn score(game: &mut GameRecord, seat: usize, score: Score) {
    if let Outcome::Played { scores, .. } | Outcome::Walkover { scores, .. } = &mut game.result {
        scores[Seat::new(seat).expect("a seat")] = score;
    }
}

fn out(game: &mut GameRecord, seat: usize, fault: Option<Verdict>) {
    if let Outcome::Played { out, .. } | Outcome::Walkover { out, .. } = &mut game.result {
        out[Seat::new(seat).expect("a seat")] = fault;
    }
}
