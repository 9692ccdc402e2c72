//! Folding a game of a log back through the referee, and comparing what follows with what the
//! log says.

use std::fmt;

use crate::answer::{Answer, DetailedVerdict};
use crate::cause::{FailureCause, VoidCause};
use crate::clock::{ElapsedTime, TimeControl};
use crate::custom::ChancePool;
use crate::dialect::{Dialect, Prompt};
use crate::dyn_rules::RestartPolicy;
use crate::game::GameTerms;
use crate::kind::GameKind;
use crate::record::{AnswerRecord, FileChange, GameInProgress, GameRecord, Outcome, RefereeInput};
use crate::referee::{Question, Referee, Step};
use crate::seat::PerSeat;
use crate::seed::Seed;
use crate::text::NotText;

/// Setup of the games of a log.
#[derive(Debug, Clone)]
pub struct ReplaySetup<'a> {
    /// The game.
    pub kind: GameKind,
    /// Its options.
    pub options: &'a str,
    /// The time of each seat.
    pub times: PerSeat<TimeControl>,
    /// The way in which each seat is asked.
    pub dialects: PerSeat<Dialect>,
    /// The number of further chances of a seat after an illegal or malformed answer.
    pub retries: u32,
    /// The seed of the match, where it is known: then every draw is made again.
    pub seed: Option<&'a Seed>,
}

/// The first thing in a record that does not follow from its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// Place of the discrepancy.
    pub place: RecordPlace,
    /// Text of the log and what follows instead, in one line.
    pub problem: String,
}

/// A place in the record of a game. Moves and draws are counted from 0, each for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordPlace {
    /// The heading before the inputs.
    Heading,
    /// A decision of nature.
    Draw(usize),
    /// An answer, by its request's number.
    Move(u32),
    /// An event, by its line in the history.
    Event(usize),
    /// The result.
    Result,
    /// The measurements.
    Measured,
}

impl fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordPlace::Heading => write!(f, "heading"),
            RecordPlace::Draw(number) => write!(f, "draw {number}"),
            RecordPlace::Move(number) => write!(f, "move {number}"),
            RecordPlace::Event(number) => write!(f, "event {number}"),
            RecordPlace::Result => write!(f, "result"),
            RecordPlace::Measured => write!(f, "measured"),
        }
    }
}

impl fmt::Display for Discrepancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for Discrepancy {}

/// A watcher of a game that is derived again.
pub trait ReplayWatcher {
    /// A seat is asked what this answer was given to.
    fn on_question(&mut self, _question: &Question<'_>, _logged: &AnswerRecord) {}

    /// A step was made.
    fn on_step(&mut self, _referee: &Referee) {}
}

/// A function looks only at each step.
impl<W: FnMut(&Referee)> ReplayWatcher for W {
    fn on_step(&mut self, referee: &Referee) {
        self(referee);
    }
}

/// Derives a game again from its inputs, and calls `watch` with the referee after every step.
///
/// It ends at the first thing in the record that does not follow. Nothing in a record can make it
/// panic.
///
/// # Errors
///
/// The first [`Discrepancy`].
pub fn replay(
    setup: ReplaySetup<'_>,
    record: &GameRecord,
    mut watch: impl FnMut(&Referee),
) -> Result<(), Discrepancy> {
    replay_before(setup, record, &mut watch)
}

/// Likewise before an onlooker that also sees every question that was answered.
///
/// # Errors
///
/// The first [`Discrepancy`].
pub fn replay_before(
    setup: ReplaySetup<'_>,
    record: &GameRecord,
    onlooker: &mut impl ReplayWatcher,
) -> Result<(), Discrepancy> {
    let mut referee = begin(&setup, record)?;
    let result = fold(&setup, record, Some(&record.pools), &mut referee, onlooker)?;
    if record.pools != referee.pools() {
        return Err(discrepancy_at(
            RecordPlace::Result,
            "the pools in the log differ from those of the rules",
        ));
    }
    let mut derived = referee.history(0);
    if were_rules_ended(record) {
        // They were ended before they told what follows the last input.
        derived.truncate(record.events.len());
    }
    compare_events(&record.events, &derived)?;
    if result != record.result {
        let problem = format!(
            "the log says {}, the moves give {}",
            outcome_text(&record.result),
            outcome_text(&result)
        );
        return Err(Discrepancy { place: RecordPlace::Result, problem });
    }
    let answers =
        record.inputs.iter().filter(|input| matches!(input, RefereeInput::Answer(_))).count();
    if record.measured.len() != answers {
        let problem = format!("{} answers, {} measured", answers, record.measured.len());
        return Err(Discrepancy { place: RecordPlace::Measured, problem });
    }
    Ok(())
}

/// Checks a custom game as far as that can be done without its rules: its name, the seeds of its
/// bots and its draws, which follow from the seed and from what could have been drawn.
///
/// # Errors
///
/// The first [`Discrepancy`].
pub fn check_without_rules(
    setup: &ReplaySetup<'_>,
    record: &GameRecord,
) -> Result<(), Discrepancy> {
    check_seeds(setup, record)?;
    let draws = record.inputs.iter().filter_map(|input| match input {
        RefereeInput::Chance(chance) => Some(chance),
        RefereeInput::Answer(_) => None,
    });
    let mut nature = setup.seed.map(|seed| seed.nature(record.dealt()));
    let mut pools = record.pools.iter();
    for (number, chance) in draws.enumerate() {
        let place = RecordPlace::Draw(number);
        let pool = pools
            .next()
            .ok_or_else(|| discrepancy_at(place, "the log does not say what could be drawn"))?;
        let pool: ChancePool =
            pool.parse().map_err(|error: NotText| discrepancy_at(place, error))?;
        if !pool.holds(chance) {
            return Err(discrepancy_at(
                place,
                format!("`{chance}` could not be drawn from `{pool}`"),
            ));
        }
        if let Some(drawn) = nature.as_mut().map(|nature| pool.draw(nature))
            && drawn != *chance
        {
            let problem = format!("`{chance}` is logged, the seed gives `{drawn}`");
            return Err(discrepancy_at(place, problem));
        }
    }
    match pools.next() {
        Some(pool) => {
            Err(discrepancy_at(RecordPlace::Result, format!("nothing was drawn from `{pool}`")))
        }
        None => Ok(()),
    }
}

/// Derives a game that is being played, as far as it has come, and gives the referee there.
///
/// # Errors
///
/// The first [`Discrepancy`] between its inputs.
pub fn replay_begun(
    setup: ReplaySetup<'_>,
    begun: &GameInProgress,
    onlooker: &mut impl ReplayWatcher,
) -> Result<Referee, Discrepancy> {
    let record = begun.record();
    let mut referee = begin(&setup, &record)?;
    fold(&setup, &record, None, &mut referee, onlooker)?;
    Ok(referee)
}

/// The referee of a game before its first input.
fn begin(setup: &ReplaySetup<'_>, record: &GameRecord) -> Result<Referee, Discrepancy> {
    let terms = GameTerms {
        id: record.id,
        times: setup.times.clone(),
        retries: setup.retries,
        dialects: setup.dialects.clone(),
        bot_seeds: record.bot_seeds.clone(),
    };
    let referee = Referee::with(&setup.kind, setup.options, terms, RestartPolicy::InGame)
        .map_err(|error: NotText| discrepancy_at(RecordPlace::Heading, error))?;
    check_heading(setup, record, &referee)?;
    Ok(referee)
}

fn check_heading(
    setup: &ReplaySetup<'_>,
    record: &GameRecord,
    referee: &Referee,
) -> Result<(), Discrepancy> {
    if record.seats.len() != referee.seats() {
        let problem = format!("{} seats, {} names", referee.seats(), record.seats.len());
        return Err(discrepancy_at(RecordPlace::Heading, problem));
    }
    check_seeds(setup, record)
}

fn check_seeds(setup: &ReplaySetup<'_>, record: &GameRecord) -> Result<(), Discrepancy> {
    let Some(seed) = setup.seed else { return Ok(()) };
    if record.id != seed.name(record.game) {
        return Err(discrepancy_at(
            RecordPlace::Heading,
            "the name of the game does not follow from the seed",
        ));
    }
    if record.bot_seeds != seed.bots(record.dealt()) {
        return Err(discrepancy_at(
            RecordPlace::Heading,
            "the bots' seeds do not follow from the seed",
        ));
    }
    Ok(())
}

/// Feeds every input to the referee, which must ask for just that. Only a game that is over keeps its pools.
fn fold(
    setup: &ReplaySetup<'_>,
    record: &GameRecord,
    pools: Option<&[String]>,
    referee: &mut Referee,
    onlooker: &mut impl ReplayWatcher,
) -> Result<Outcome, Discrepancy> {
    let mut nature = setup.seed.map(|seed| seed.nature(record.dealt()));
    let mut inputs = record.inputs.iter();
    let mut measured = record.measured.iter();
    let mut draws = 0;
    loop {
        match referee.step() {
            Step::Moved => {}
            Step::Nature(draw) => {
                let place = RecordPlace::Draw(draws);
                draws += 1;
                let chance = match inputs.next() {
                    Some(RefereeInput::Chance(chance)) => chance,
                    None if breaks_off(record) => return Ok(record.result.clone()),
                    other => {
                        return Err(discrepancy_at(place, unexpected("cards to be dealt", other)));
                    }
                };
                if let Some(drawn) = nature.as_mut().and_then(|nature| draw.sample(nature))
                    && drawn != *chance
                {
                    let problem = format!("`{chance}` is logged, the seed gives `{drawn}`");
                    return Err(discrepancy_at(place, problem));
                }
                let pool = draw.pool();
                if pools.is_some_and(|pools| pool.as_ref() != pools.get(draws - 1)) {
                    let pool = pool.unwrap_or_else(|| "no pool".to_owned());
                    let problem =
                        format!("the pool in the log differs from the pool of the rules, `{pool}`");
                    return Err(discrepancy_at(place, problem));
                }
                draw.happen(chance).map_err(|impossible| discrepancy_at(place, impossible))?;
            }
            Step::Ask(question) => {
                let place = RecordPlace::Move(question.number());
                let seat = question.seat();
                let logged = match inputs.next() {
                    Some(RefereeInput::Answer(logged)) if logged.seat == seat => logged,
                    None if breaks_off(record) => return Ok(record.result.clone()),
                    other => {
                        let expected = format!("an answer of seat {seat}");
                        return Err(discrepancy_at(place, unexpected(&expected, other)));
                    }
                };
                if question.digest() != logged.asked {
                    let problem = "the logged request does not follow from the inputs";
                    return Err(discrepancy_at(place, problem));
                }
                let elapsed = measured.next().map(ElapsedTime::from);
                check_time(&question, logged, elapsed)
                    .map_err(|problem| discrepancy_at(place, problem))?;
                onlooker.on_question(&question, logged);
                let answer = answer_of(logged, question.prompt());
                let ruling = question.answer_after(answer, elapsed.unwrap_or_default());
                compare_ruling(logged, &ruling)
                    .map_err(|problem| discrepancy_at(place, problem))?;
                let kept = referee.inputs().last().and_then(RefereeInput::answer);
                if kept.and_then(file_change) != file_change(logged) {
                    let problem = "the logged answer is in a different dialect";
                    return Err(discrepancy_at(place, problem));
                }
            }
            Step::Over(outcome) => {
                // A fault of rules that comes anew in another form is still the one that the log has, also where this
                // machine takes it for an end of theirs. Rules that were ended may go on where they are not.
                let is_void_for_rules = matches!(
                    record.result.cause(),
                    Some(FailureCause::Void(VoidCause::Rules(_) | VoidCause::RulesEnded(_)))
                );
                if let Some(FailureCause::Void(VoidCause::RulesEnded(why))) = outcome.cause()
                    && !is_void_for_rules
                {
                    let problem = format!(
                        "the game cannot be recomputed on this machine, because its rules were ended: {why}; try again"
                    );
                    return Err(discrepancy_at(RecordPlace::Result, problem));
                }
                let outcome = match (outcome.cause(), record.result.cause()) {
                    (
                        Some(FailureCause::Void(VoidCause::Rules(_) | VoidCause::RulesEnded(_))),
                        Some(FailureCause::Void(VoidCause::Rules(_))),
                    ) => record.result.clone(),
                    _ if were_rules_ended(record) => record.result.clone(),
                    _ => outcome.clone(),
                };
                if let Some(extra) = inputs.next() {
                    let problem = unexpected("the end of the game", Some(extra));
                    return Err(discrepancy_at(RecordPlace::Result, problem));
                }
                return Ok(outcome);
            }
        }
        onlooker.on_step(referee);
    }
}

/// Returns true if a record may end before its game does: what stopped it may lie outside of the
/// game.
fn breaks_off(record: &GameRecord) -> bool {
    matches!(record.result, Outcome::Void { .. })
}

/// Returns true if the machine has ended the rules of a game.
fn were_rules_ended(record: &GameRecord) -> bool {
    matches!(record.result.cause(), Some(FailureCause::Void(VoidCause::RulesEnded(_))))
}

/// The answer that a logged one was: what the process did is taken from the log, what its output
/// is worth is found anew.
fn answer_of(logged: &AnswerRecord, prompt: &Prompt) -> Answer {
    let output = logged.reply.0.clone();
    if let (Some(classic), Prompt::Classic { file, .. }) = (&logged.classic, prompt) {
        let file = match classic.file {
            FileChange::Appended => [file.as_bytes(), &output].concat(),
            FileChange::Rewritten => output,
        };
        return Answer::Classic { file, output: classic.printed.0.clone() };
    }
    match logged.cause() {
        Some(cause) => cause.answer(output),
        None => Answer::Output(output),
    }
}

/// Checks that the time of an answer fits what became of it, where the seat has other than the same time
/// for every answer.
fn check_time(
    question: &Question<'_>,
    logged: &AnswerRecord,
    elapsed: Option<ElapsedTime>,
) -> Result<(), String> {
    let allowed = question.allowed();
    if question.bank().is_none() && allowed.special_time().is_none() {
        return Ok(());
    }
    let elapsed = elapsed.ok_or("its time was not measured, which its clock needs")?;
    match logged.cause() {
        Some(FailureCause::Stopped(stop)) => allowed.check(Some(&stop), elapsed),
        Some(FailureCause::Void(_)) => Ok(()),
        None => allowed.check(None, elapsed),
    }
}

fn file_change(answer: &AnswerRecord) -> Option<FileChange> {
    answer.classic.as_ref().map(|classic| classic.file)
}

fn compare_ruling(logged: &AnswerRecord, ruling: &DetailedVerdict) -> Result<(), String> {
    if logged.verdict != ruling.verdict {
        let why = if ruling.detail.is_empty() { "a legal move" } else { &ruling.detail };
        return Err(format!(
            "`{}` is logged as {}, but is {}: {why}",
            logged.reply, logged.verdict, ruling.verdict
        ));
    }
    if logged.detail != ruling.detail {
        return Err(format!(
            "the reason is logged as `{}`, but is `{}`",
            logged.detail, ruling.detail
        ));
    }
    Ok(())
}

fn compare_events(logged: &[String], derived: &[String]) -> Result<(), Discrepancy> {
    for (number, (logged, derived)) in logged.iter().zip(derived).enumerate() {
        if logged != derived {
            let problem = format!("`{logged}` is logged, the inputs give `{derived}`");
            return Err(discrepancy_at(RecordPlace::Event(number), problem));
        }
    }
    if logged.len() != derived.len() {
        let problem = format!("{} events logged, the inputs give {}", logged.len(), derived.len());
        return Err(discrepancy_at(RecordPlace::Event(logged.len().min(derived.len())), problem));
    }
    Ok(())
}

fn outcome_text(outcome: &Outcome) -> String {
    let (ending, scores) = match outcome {
        Outcome::Void { reason } => return format!("void ({reason})"),
        Outcome::Played { scores, .. } => ("a game played to the end", scores),
        Outcome::Walkover { scores, .. } => ("a walkover", scores),
    };
    let scores: Vec<String> = scores.values().iter().map(ToString::to_string).collect();
    let faults: String =
        outcome.faults().iter().map(|(seat, fault)| format!(", seat {seat} {fault}")).collect();
    format!("{ending}, points {}{faults}", scores.join(" "))
}

fn unexpected(expected: &str, found: Option<&RefereeInput>) -> String {
    match found {
        None => format!("expected {expected}, found the end of the inputs"),
        Some(RefereeInput::Chance(chance)) => {
            format!("expected {expected}, found the draw `{chance}`")
        }
        Some(RefereeInput::Answer(answer)) => {
            format!("expected {expected}, found `{}` of seat {}", answer.reply, answer.seat)
        }
    }
}

fn discrepancy_at(place: RecordPlace, problem: impl fmt::Display) -> Discrepancy {
    Discrepancy { place, problem: problem.to_string() }
}
