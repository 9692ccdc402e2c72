//! Games against the built-in `random`, puzzles, and whether a resident bot answers as if started for each move.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use ::bot::Contender;
use ::bot::advice::FaultSymptoms;
use bot::manifest::{MANIFEST, ProgramMode};
use bot::sandboxed::{hint, hint_for_author};
use bots::AnyGamePlayer;
use bots::programs::{self, RANDOM};
use bots::review::reviewer;
use contest::playing;
use contest::playing::{Player, Reply};
use contest::reviewing::with_time;
use contest::tournament::plan::GamePace;
use review::{MistakeGrade, Puzzle};
use rules::custom::RestartPolicy;
use rules::dialect::Strictness;
use rules::{
    Answer, AnswerRecord, DetailedVerdict, Dialect, EscapedBytes, FailureCause, GameKind,
    GameTerms, Measurements, Outcome, PerSeat, Prompt, Referee, RefereeInput, Seat,
    StandaloneRequest, StopCause, TimeControl, Verdict, VoidCause,
};
use sandbox::Limits;
use sandbox::launchers::{LauncherProgram, UNORDERED};
use series::seat_time;
use text::counted;
use text::failure::Failure;

use crate::bot::asking::{
    Asker, CONFIRMED, Check, Exchange, GameVariant, HintAudience, Puzzles, RuledExchange, machine,
    stopped,
};
use crate::bot::step::{Step, StepName};
use crate::report::Listener;
use crate::step::Evidence;

/// Plays games until the bot faults, and reports them as one step.
///
/// The bot takes every seat in turn. For a bot of the classic dialect the games are one match, in
/// which it keeps its folder.
pub(super) fn games(
    check: &Check<'_>,
    setting: &GameVariant,
    asker: &mut Asker,
    listener: &mut dyn Listener<StepName>,
) -> Result<(), Failure> {
    let kind = &setting.kind;
    let name = StepName::Games(kind.to_string());
    asker.begin(&name);
    if check.games == 0 {
        return listener.on_step(Step::skipped(name, "none asked for"));
    }
    if let Some(skipped) = asker.gives_up(&name) {
        return listener.on_step(skipped);
    }
    asker.refresh()?;
    let (mut answers, mut ms) = (0, 0.0);
    let mut second_chances = 0;
    for game in 0..check.games {
        listener.begins(&format!("{kind} game {} of {}", game + 1, check.games));
        let played = play(check, setting, game, asker)?;
        answers += played.answers;
        ms += played.ms;
        second_chances += played.wrong;
        if let Some(step) = played.fault {
            return listener.on_step(step);
        }
    }
    let pace = GamePace { games: check.games, answers: answers as u64, ms };
    let games = counted(check.games, "game", "games");
    let answers = counted(answers, "answer", "answers");
    let note = format!("{games} against {}, {answers}", RANDOM.name);
    let step = match second_chances {
        0 => Step::passed(name, note),
        count => Step::warning(name, format!("{note}, {count} of them on a retry")),
    };
    listener.on_step(step.at_pace(pace))
}

struct GamesResult {
    answers: usize,
    /// Time of its answers in milliseconds.
    ms: f64,
    wrong: usize,
    fault: Option<Step>,
}

fn play(
    check: &Check<'_>,
    GameVariant { kind, options }: &GameVariant,
    game: u64,
    asker: &mut Asker,
) -> Result<GamesResult, Failure> {
    let seed = check.seed;
    let set_up = |error| machine("cannot set up a game", error);
    let seats = kind.seats(options).map_err(set_up)?;
    let seat = (game % seats as u64) as usize;
    let of_seat = |it: Seat| if it.index() == seat { asker.dialect() } else { Dialect::Native };
    let of_others = TimeControl::even(check.time_ms());
    let own = seat_time(check.limits(), check.contender.mode);
    let terms = GameTerms {
        dialects: PerSeat::new(seats, of_seat),
        times: PerSeat::new(seats, |it| if it.index() == seat { own } else { of_others }),
        retries: check.retries,
        ..GameTerms::even(seed.name(game), seats, check.time_ms(), seed.bots(game))
    };
    let mut referee = Referee::with(kind, options, terms, RestartPolicy::InGame).map_err(set_up)?;
    let others: Result<Vec<Opponent>, Failure> = (1..seats).map(|_| Opponent::new(kind)).collect();
    let mut others = others?;
    asker.new_game().map_err(|error| machine("cannot make a scratch folder", error))?;
    let mut players: Vec<&mut dyn Player> =
        others.iter_mut().map(|other| other as &mut dyn Player).collect();
    players.insert(seat, asker);
    let nature = &mut seed.nature(game);
    let played = playing::play(&mut referee, nature, &mut players.into(), &mut |_| {});
    if let Outcome::Void { reason } = played.outcome {
        return Err(stopped(reason));
    }
    // The opponents answer in this process, and have no times.
    let ms = played.measured.iter().map(|measured| measured.ms).sum();
    let inputs = referee.inputs().iter();
    let given: Vec<&AnswerRecord> = inputs
        .filter_map(|input| match input {
            RefereeInput::Answer(answer) if answer.seat.index() == seat => Some(answer),
            RefereeInput::Answer(_) | RefereeInput::Chance(_) => None,
        })
        .collect();
    // A seat is not asked again after a fault; a second chance has another answer after it.
    let wrong = given.last().filter(|answer| answer.verdict != Verdict::Ok);
    let fault = wrong.zip(asker.last()).map(|(answer, exchange)| {
        let ruling = DetailedVerdict { verdict: answer.verdict, detail: answer.detail.clone() };
        let sample = match &exchange.prompt {
            Prompt::Request(request) => StandaloneRequest::read(request).ok(),
            Prompt::Classic { .. } => None,
        };
        let place = format!("game {} of {}, seat {seat}, ", game + 1, check.games);
        let name = StepName::Games(kind.to_string());
        fault(&name, &place, (exchange, &ruling), sample.as_ref(), check)
    });
    let wrong = given.iter().filter(|answer| answer.verdict != Verdict::Ok).count();
    Ok(GamesResult { answers: given.len(), ms, wrong, fault })
}

/// The built-in `random`, in this process.
pub(super) struct Opponent(Box<dyn AnyGamePlayer>);

impl Opponent {
    pub(super) fn new(kind: &GameKind) -> Result<Opponent, Failure> {
        let player = programs::player(kind, RANDOM.name, &[]);
        player.map(Opponent).map_err(|error| machine("no opponent", error))
    }
}

impl Player for Opponent {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt, _: Option<Duration>) -> Reply {
        let answer = match prompt {
            Prompt::Request(request) => self.0.answer(request).map_err(|error| error.to_string()),
            Prompt::Classic { .. } => {
                Err("`random` was asked in the classic dialect, which it does not speak".to_owned())
            }
        };
        let answer = match answer {
            Ok(text) => Answer::Output(text.into_bytes()),
            Err(why) => Answer::Void(VoidCause::worded(why)),
        };
        Reply { answer, measured: Measurements::default() }
    }
}

/// The worlds by which moves that come to the same are found.
const WORLDS: u32 = 2;

/// Asks each puzzle once; one is solved by a move that is no mistake.
pub(super) fn puzzles(
    check: &Check<'_>,
    puzzles: &Puzzles,
    asker: &mut Asker,
    listener: &mut dyn Listener<StepName>,
) -> Result<(), Failure> {
    let (mut solved, mut tried, mut given_away) = (0, 0, 0.0);
    for puzzle in &puzzles.list {
        let name = StepName::Request(format!("puzzle {}", puzzle.name));
        listener.begins(&name.to_string());
        asker.begin(&name);
        if let Some(skipped) = asker.gives_up(&name) {
            listener.on_step(skipped)?;
            continue;
        }
        let request = with_time(&puzzle.request, check.time_ms());
        let Ok(sample) = StandaloneRequest::read(&request) else {
            listener.on_step(Step::skipped(name, "cannot read its request"))?;
            continue;
        };
        let dialect = asker.dialect();
        let Some(prompt) = sample.prompt(dialect) else {
            listener.on_step(Step::skipped(name, "the game does not have the bot's dialect"))?;
            continue;
        };
        let RuledExchange { exchange, ruling, .. } = asker.ask_afresh(&prompt, &sample)?;
        let Some(played) = sample.played(dialect, exchange.answer.clone()) else {
            let answer: (_, &DetailedVerdict) = (&exchange, &ruling);
            listener.on_step(fault(&name, "", answer, Some(&sample), check))?;
            continue;
        };
        let Some(lost) = given_up(puzzle, &sample, &played) else {
            let note = format!("the value of {} is not known", shortened(&played));
            listener.on_step(Step::skipped(name, note))?;
            continue;
        };
        tried += 1;
        given_away += lost;
        let played = shortened(&played);
        let step = match lost < MistakeGrade::Inaccuracy.threshold() {
            true => {
                solved += 1;
                Step::passed(name, played)
            }
            false => {
                let (best, lost) = (shortened(&puzzle.values.best), 100.0 * lost);
                Step::warning(name, format!("{played} loses {lost:.1}%, best {best}"))
            }
        };
        listener.on_step(step.taking(exchange.measured.ms))?;
    }
    let (all, mean) = (puzzles.list.len(), 100.0 * given_away / f64::from(tried.max(1)));
    let note = format!("{solved} of {all} solved, average loss {mean:.1}%");
    let step = match solved >= puzzles.at_least {
        true => Step::passed(StepName::Puzzles, note),
        false => {
            let note = format!("{note}; {} needed to pass", puzzles.at_least);
            Step::failed(StepName::Puzzles, note, None)
        }
    };
    listener.on_step(step)
}

/// Finds how much a legal move gives away. An unlisted move has the value of an equivalent listed one; none if no
/// listed move is equivalent.
fn given_up(puzzle: &Puzzle, sample: &StandaloneRequest, played: &str) -> Option<f64> {
    if let Some(lost) = puzzle.given_away(played) {
        return Some(lost);
    }
    let opinion = reviewer(sample.kind())?.review(&puzzle.request, played, WORLDS).ok()?;
    let moves = opinion.reviewed.moves;
    let is_there = |listed: &str| moves.iter().any(|rated| rated.mv == listed);
    // The move played stands for those that come to the same, so the one that is missing is its equal. The best move
    // is listed with the cards that were played in the log, so it may be missing, too.
    let missing: Vec<&String> = puzzle.values.moves.keys().filter(|it| !is_there(it)).collect();
    let best = &puzzle.values.best;
    let equal = missing.iter().find(|listed| **listed != best).or(missing.first());
    equal.and_then(|equal| puzzle.given_away(equal))
}

/// Number of compared answers.
const COMPARED: usize = 8;

/// Compares answers of the games with answers of freshly started programs, as one step: a resident bot must answer as
/// if it were started for each move.
///
/// Answers after the first request of each game are compared. A bot may remember earlier requests, but its manifest
/// must say so: then one request alone does not reproduce its answer, which matters in a dispute.
pub(super) fn residence(
    check: &Check<'_>,
    kind: &GameKind,
    later: &[Exchange],
    asker: &mut Asker,
    listener: &mut dyn Listener<StepName>,
) -> Result<(), Failure> {
    if check.contender.mode == ProgramMode::PerMove {
        return Ok(());
    }
    let name = StepName::Request(format!("{kind} started anew"));
    listener.begins(&name.to_string());
    asker.begin(&name);
    listener.on_step(step(check, name, later, asker)?)
}

fn step(
    check: &Check<'_>,
    name: StepName,
    later: &[Exchange],
    asker: &mut Asker,
) -> Result<Step, Failure> {
    if check.contender.remembers {
        return Ok(Step::passed(name, format!("its {MANIFEST} says `remembers = true`")));
    }
    let mut compared = 0;
    for exchange in later.iter().step_by(later.len().div_ceil(COMPARED).max(1)) {
        if let Some(skipped) = asker.gives_up(&name) {
            return Ok(skipped);
        }
        let Prompt::Request(request) = &exchange.prompt else { continue };
        let Ok(sample) = StandaloneRequest::read(request) else { continue };
        let Some(known) = sample.played(Dialect::Native, exchange.answer.clone()) else { continue };
        let mut anew = || -> Result<_, Failure> {
            let ruled = asker.ask_afresh(&exchange.prompt, &sample)?;
            let answer = sample.played(Dialect::Native, ruled.exchange.answer.clone());
            Ok((ruled.exchange, answer))
        };
        let (asked_anew, answer) = anew()?;
        compared += 1;
        if answer.as_ref() == Some(&known) {
            continue;
        }
        let shown = answer.as_deref().map_or_else(|| "nothing legal".to_owned(), shortened);
        let note = format!("resident `{}`, started per move `{shown}`", shortened(&known));
        // The answers of a bot that uses chance or a clock differ between fresh starts, too.
        for _ in 0..CONFIRMED {
            if anew()?.1 != answer {
                return Ok(Step::warning(
                    name,
                    format!("nondeterministic: {note}; {}", why_not_repeated(check.contender)),
                ));
            }
        }
        let note = format!(
            "{note}: set `remembers = true` in {MANIFEST} if the bot uses earlier requests"
        );
        return Ok(mismatch_step(&name, note, &asked_anew, &known));
    }
    Ok(match compared {
        0 => Step::skipped(name, "no legal answer to compare"),
        count => Step::passed(name, counted(count, "request", "requests")),
    })
}

/// Number of legal moves that an expectation names.
const NAMED: usize = 5;

/// Longest answer in a note, in characters.
const TOLD: usize = 40;

/// Makes the step of a wrong answer.
pub(super) fn fault(
    name: &StepName,
    place: &str,
    (exchange, ruling): (&Exchange, &DetailedVerdict),
    sample: Option<&StandaloneRequest>,
    check: &Check<'_>,
) -> Step {
    let mut evidence = evidence(expected(ruling, sample, check.limits()), exchange);
    let dialect = match exchange.prompt {
        Prompt::Request(_) => Dialect::Native,
        Prompt::Classic { .. } => Dialect::Classic(Strictness::Strict),
    };
    let (printed, stderr) = (&evidence.stdout.0, &evidence.stderr.0);
    let cause = ruling.cause();
    let seen =
        FaultSymptoms { verdict: ruling.verdict, dialect, printed, stderr, cause: cause.as_ref() };
    // Pitfalls are in the bot's own files, so its author learns them even where the machine stays hidden.
    let pitfall = check.contender.pitfalls.hint(seen.stderr).map(Cow::Owned);
    evidence.hint = pitfall.or_else(|| match &check.hints {
        HintAudience::User(sandboxed) => hint(Some(sandboxed.as_ref()), seen),
        HintAudience::Author(barriers) => hint_for_author(*barriers, seen).map(Cow::Borrowed),
    });
    let note = format!("{place}{}: {}", ruling.verdict, ruling.detail);
    Step::failed(name, note, Some(evidence)).taking(exchange.measured.ms)
}

/// Makes the step of an answer that is legal, but not the expected one.
pub(super) fn mismatch_step(
    name: &StepName,
    note: String,
    exchange: &Exchange,
    expected: &str,
) -> Step {
    let evidence = evidence(format!("`{}`, as before", shortened(expected)), exchange);
    Step::failed(name, note, Some(evidence)).taking(exchange.measured.ms)
}

/// Asks for the likely reason why a bot does not repeat its answer.
pub(super) fn why_not_repeated(contender: &Contender) -> String {
    let launcher = contender.kind.and_then(LauncherProgram::named);
    let order = launcher.map_or(UNORDERED, |launcher| launcher.unordered);
    format!("does it use random numbers without the `seed` of the request, a clock, or {order}?")
}

/// Cuts an answer for a note.
pub(super) fn shortened(answer: &str) -> String {
    let mut text: String = answer.chars().take(TOLD).collect();
    if text.len() < answer.len() {
        text.push('…');
    }
    text
}

fn evidence(expected: String, exchange: &Exchange) -> Evidence {
    let request = match &exchange.prompt {
        Prompt::Request(request) => request.clone(),
        Prompt::Classic { file, arguments } => {
            // A line without a value is just its key.
            let blank = if file.is_empty() { "" } else { " " };
            let file = EscapedBytes(file.clone().into_bytes());
            let arguments = EscapedBytes(arguments.join(" ").into_bytes());
            format!("file{blank}{file}\narguments {arguments}\n")
        }
    };
    let file = match &exchange.answer {
        Answer::Classic { file, .. } => Some(EscapedBytes(file.clone())),
        Answer::Output(_) | Answer::Stopped { .. } | Answer::Void(_) => None,
    };
    let (stdout, stderr) =
        (exchange.output(), EscapedBytes(exchange.measured.stderr.bytes().to_vec()));
    Evidence { expected, request: Some(request), file, stdout, stderr, hint: None }
}

/// Says what would have been right.
fn expected(
    ruling: &DetailedVerdict,
    sample: Option<&StandaloneRequest>,
    limits: &Limits,
) -> String {
    match ruling.verdict {
        Verdict::Timeout
            if matches!(ruling.cause(), Some(FailureCause::Stopped(StopCause::NoLine(_)))) =>
        {
            format!("a line within {} ms", limits.time.as_millis())
        }
        Verdict::Timeout
            if matches!(ruling.cause(), Some(FailureCause::Stopped(StopCause::GameTime(_)))) =>
        {
            "all answers in the game within the time bank".to_owned()
        }
        Verdict::Timeout => {
            let time = limits.time.as_millis();
            format!("an answer and an exit with code 0 within {time} ms")
        }
        Verdict::Crash => "an answer and an exit with code 0".to_owned(),
        Verdict::OutputLimit => format!("at most {} bytes of output", limits.answer_bytes),
        Verdict::Memory => format!("at most {} bytes of memory", limits.memory),
        Verdict::StartFailed => "a program that starts".to_owned(),
        Verdict::Illegal | Verdict::Malformed | Verdict::NoAnswer | Verdict::Ok | Verdict::Void => {
            sample.map_or_else(|| "a legal move".to_owned(), one_of)
        }
    }
}

fn one_of(sample: &StandaloneRequest) -> String {
    let legal = sample.legal();
    let named: Vec<&str> = legal.iter().take(NAMED).map(String::as_str).collect();
    let more = if legal.len() > NAMED { ", …" } else { "" };
    match legal.len() {
        1 => format!("the only legal move: {}", named.join(", ")),
        count => format!("one of {count} listed moves: {}{more}", named.join(", ")),
    }
}
