//! Asking one program again and again and recording its behaviour; what all steps of the check share.
//!
//! No program tells when its start is over. So it is started some times without a request: if it then ends by itself, it
//! has done little else. A few requests of its games are asked again in the other mode, for each move or in one program,
//! which shows what the choice between them costs. All of this is for the author: it passes and fails nothing.

use std::fmt::Display;
use std::time::{Duration, Instant};
use std::{io, mem};

use ::bot::Contender;
use ::bot::manifest::ProgramMode;
use bot::sandboxed::{Restrictions, SandboxedBot};
use contest::playing::bot::{Bot, is_late};
use contest::playing::{Player, Reply};
use review::Puzzle;
use rules::{
    Answer, DetailedVerdict, Dialect, EscapedBytes, GameKind, Measurements, Prompt, Seed,
    StandaloneRequest, Verdict,
};
use sandbox::{Limits, Supervisor};
use text::failure::Failure;
use text::{printable, system_error};

use crate::bot::step::{AnswerStatistics, Step, StepName};
use crate::report::lines_inside;
use crate::step::StartupTimes;

/// Number of timeouts after which a bot is no longer asked: each takes all of the time limit, and three
/// tell its author as much as thirty.
const TIMEOUTS: usize = 3;

/// Number of further requests before a changed answer is not put down to chance or a clock.
pub(super) const CONFIRMED: usize = 5;

/// Number of kept answers of games.
const LATER: usize = 400;

/// Asks the bot, and keeps its answers.
pub(super) struct Asker {
    bot: Bot,
    dialect: Dialect,
    observations: AnswerStatistics,
    step: String,
    last: Option<Exchange>,
    /// Number of retries after an illegal or malformed answer.
    retries: u32,
    /// Number of timeouts since the first step of this game.
    timeouts: usize,
    /// Requests of games and their answers, except the first of each game.
    later: Vec<Exchange>,
    /// True once the bot was asked in this game.
    is_asked: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub prompt: Prompt,
    pub answer: Answer,
    pub measured: Measurements,
}

#[derive(Debug, Clone)]
pub(super) struct RuledExchange {
    pub exchange: Exchange,
    pub ruling: DetailedVerdict,
    /// Ruling on the answer before a retry.
    pub before: Option<DetailedVerdict>,
}

impl Asker {
    pub(super) fn new(bot: Bot, contender: &Contender, retries: u32) -> Asker {
        let (step, observations) = (String::new(), AnswerStatistics::default());
        let dialect = contender.dialect;
        let (timeouts, later, is_asked) = (0, Vec::new(), false);
        Asker { bot, dialect, observations, step, last: None, retries, timeouts, later, is_asked }
    }

    /// Goes on to another game, where the bot gets a new chance to be in time.
    pub(super) fn begin_game(&mut self) {
        self.timeouts = 0;
    }

    /// Returns the skipped step of this name, if the bot is no longer asked.
    pub(super) fn gives_up(&self, name: &StepName) -> Option<Step> {
        let gives_up = self.timeouts >= TIMEOUTS;
        gives_up.then(|| Step::skipped(name, format!("skipped after {TIMEOUTS} timeouts")))
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Goes on to a step, to which later observations belong.
    pub(super) fn begin(&mut self, step: &StepName) {
        self.step = step.to_string();
    }

    /// Gives the bot a fresh scratch folder, in every dialect.
    pub(super) fn refresh(&mut self) -> Result<(), Failure> {
        let renewed = self.bot.renew_folder();
        renewed.map_err(|error| machine("cannot make a scratch folder", error))
    }

    /// Asks in a fresh scratch folder, with retries if the bot has them, and judges the last
    /// answer.
    pub(super) fn ask_afresh(
        &mut self,
        prompt: &Prompt,
        sample: &StandaloneRequest,
    ) -> Result<RuledExchange, Failure> {
        self.refresh()?;
        let mut before: Option<DetailedVerdict> = None;
        let mut chances = 0;
        loop {
            let prompt = match &before {
                None => prompt.clone(),
                Some(DetailedVerdict { detail, .. }) => with_second_chance(prompt, chances, detail),
            };
            let exchange = self.exchange(prompt, None);
            let ruling = sample.rule(self.dialect, exchange.answer.clone());
            match ruling.verdict {
                Verdict::Void => return Err(stopped(ruling.detail)),
                Verdict::Illegal | Verdict::Malformed if chances < self.retries => {
                    chances += 1;
                    before = Some(ruling);
                }
                _ => return Ok(RuledExchange { exchange, ruling, before }),
            }
        }
    }

    pub(super) fn last(&self) -> Option<&Exchange> {
        self.last.as_ref()
    }

    /// Takes the requests of games and their answers, except the first of each game.
    pub(super) fn take_later(&mut self) -> Vec<Exchange> {
        mem::take(&mut self.later)
    }

    /// Closes the bot, and returns all that was noticed.
    pub(super) fn close(mut self) -> AnswerStatistics {
        let mut observations = self.observations;
        observations.unremoved(self.bot.close());
        observations
    }

    fn exchange(&mut self, prompt: Prompt, time: Option<Duration>) -> Exchange {
        let Reply { answer, measured } = self.bot.ask_while_busy(&prompt, time);
        self.timeouts += usize::from(is_late(&answer));
        self.observations.add(&self.step, &measured, &self.bot.left_files());
        Exchange { prompt, answer, measured }
    }
}

impl Exchange {
    pub(super) fn output(&self) -> EscapedBytes {
        match &self.answer {
            Answer::Output(output)
            | Answer::Classic { output, .. }
            | Answer::Stopped { output, .. } => EscapedBytes(output.clone()),
            Answer::Void(_) => EscapedBytes::default(),
        }
    }
}

/// In a game it sits at the table as any other player.
impl Player for Asker {
    fn new_game(&mut self) -> io::Result<()> {
        self.is_asked = false;
        self.bot.new_game()
    }

    fn game_over(&mut self) {
        self.bot.game_over();
    }

    fn ask(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply {
        let exchange = self.exchange(prompt.clone(), time);
        let reply = Reply { answer: exchange.answer.clone(), measured: exchange.measured.clone() };
        if self.is_asked && self.later.len() < LATER {
            self.later.push(exchange.clone());
        }
        self.is_asked = true;
        self.last = Some(exchange);
        reply
    }
}

/// The bot under check, and how it is checked.
#[derive(Debug)]
pub(crate) struct Check<'a> {
    pub contender: &'a Contender,
    pub settings: &'a [GameVariant],
    /// Number of games of each kind.
    pub games: u64,
    pub seed: &'a Seed,
    /// Number of retries after an illegal or malformed answer.
    pub retries: u32,
    pub supervisor: Supervisor,
    /// Puzzles, which are asked in place of all else.
    pub puzzles: Option<&'a Puzzles>,
    pub hints: HintAudience,
}

/// Hints of a check, by its reader.
#[derive(Debug)]
pub(crate) enum HintAudience {
    /// The user who runs the bot, and may know what it cannot see.
    User(Box<SandboxedBot>),
    /// The author of the bot, who may be a stranger.
    Author(Restrictions),
}

/// Puzzles that a bot is asked: decisions with one clearly best move.
#[derive(Debug, Clone)]
pub struct Puzzles {
    pub list: Vec<Puzzle>,
    /// The number of them that it must solve to pass.
    pub at_least: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameVariant {
    pub kind: GameKind,
    /// The options in their one spelling.
    pub options: String,
}

impl Check<'_> {
    /// Returns the time limit in requests, in milliseconds.
    pub(super) fn time_ms(&self) -> u64 {
        self.limits().time_ms()
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.contender.limits
    }
}

/// The check stops early, which says nothing about the bot.
pub(super) fn stopped(why: impl Display) -> Failure {
    Failure::Ours(format!("{why}; stopping the check"))
}

pub(super) fn machine(doing: &str, error: impl Display) -> Failure {
    stopped(format!("{doing}: {}", system_error(error)))
}

/// A line whose key no version of the protocol has.
const UNKNOWN: &str = "weather fair 3";

/// Unknown keys that begin like known ones.
const ALIKE: [&str; 3] = ["seeds 12", "viewpoint 1", "legality 2"];

/// Length of a line that makes a request longer, in bytes.
const FILLER: usize = 80;

/// Adds unknown keys to a request: before every line with a key, after the first two, and inside the
/// view.
pub(crate) fn with_unknown_keys(request: &str) -> String {
    let mut text = String::with_capacity(request.len() + 512);
    let mut inside = 0usize;
    for (number, line) in request.lines().enumerate() {
        if inside > 0 {
            inside -= 1;
            push(&mut text, line);
            continue;
        }
        if number > 1 {
            push(&mut text, UNKNOWN);
        }
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        inside = lines_inside(key, value);
        if key == "view" {
            ALIKE.iter().for_each(|line| push(&mut text, line));
            push(&mut text, &format!("view {}", inside + 2));
            push(&mut text, "pile 3 unknown");
            push(&mut text, UNKNOWN);
        } else {
            push(&mut text, line);
        }
    }
    text
}

/// Adds more than this number of bytes to a request, as unknown lines before its view.
pub(crate) fn longer_by(request: &str, bytes: usize) -> String {
    let (before, after) = match request.find("\nview ") {
        Some(place) => request.split_at(place + 1),
        None => ("", request),
    };
    let mut text = before.to_owned();
    for number in 0..bytes / FILLER + 1 {
        let opening = format!("note {number} ");
        push(&mut text, &format!("{opening:x<width$}", width = FILLER - 1));
    }
    text.push_str(after);
    text
}

/// Makes a question a retry, with its number from 1 and the reason. The classic dialect has no words for
/// that.
fn with_second_chance(prompt: &Prompt, number: u32, reason: &str) -> Prompt {
    let request = match prompt {
        Prompt::Classic { .. } => return prompt.clone(),
        Prompt::Request(request) => request,
    };
    let mut text = String::with_capacity(request.len() + reason.len() + 32);
    let mut is_told = false;
    for line in request.lines() {
        // Before the view nothing else begins like this.
        if !is_told && line.starts_with("view ") {
            push(&mut text, &format!("retry {number}"));
            push(&mut text, &format!("reason {}", printable(reason)));
            is_told = true;
        }
        push(&mut text, line);
    }
    Prompt::Request(text)
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Number of starts without a request.
const STARTS: usize = 5;

/// Number of requests that are asked in the other mode.
const ASKED: usize = 8;

/// Time after which no further start or request of a measurement begins.
const ENOUGH: Duration = Duration::from_secs(1);

/// The least time that a bot has for an answer in the other mode. One that waits for the end of its input uses it up.
const PATIENCE: Duration = Duration::from_millis(100);

/// An answer in the other mode may take this many times as long as one in the bot's own mode.
const TIMES: u32 = 4;

/// Measures the bot, with requests of its games and its answers to them. Also returns the folders that it could not
/// remove.
pub(super) fn measure(
    check: &Check<'_>,
    exchanges: &[Exchange],
) -> Result<Option<(StartupTimes, Vec<String>)>, Failure> {
    let answered = |it: &&Exchange| !matches!(it.answer, Answer::Stopped { .. } | Answer::Void(_));
    let exchanges: Vec<&Exchange> = exchanges.iter().filter(answered).take(ASKED).collect();
    let own: Vec<f64> = exchanges.iter().map(|exchange| exchange.measured.ms).collect();
    let Some(own_ms) = median(own) else { return Ok(None) };
    let Some(contender) = in_other_mode(check.contender, own_ms) else { return Ok(None) };
    let mut bot = Bot::new(&contender, check.supervisor);
    bot.new_game().map_err(|error| machine("cannot make a scratch folder", error))?;
    let start_ms = median(starts(&mut bot));
    let mut others = Vec::new();
    let tried_other_mode = contender.dialect == Dialect::Native;
    if tried_other_mode {
        others = answers(&mut bot, &exchanges);
        // The first answer of a program that lives on has its start in it.
        let starts_in_them = usize::from(contender.mode == ProgramMode::Resident).min(others.len());
        others.drain(..starts_in_them);
    }
    bot.game_over();
    let mode = check.contender.mode;
    let (call_ms, resident_ms) = match mode {
        ProgramMode::PerMove => (Some(own_ms), median(others)),
        ProgramMode::Resident | ProgramMode::Remote => (median(others), Some(own_ms)),
    };
    let times = StartupTimes { mode, start_ms, call_ms, resident_ms, tried_other_mode };
    Ok(Some((times, bot.close())))
}

/// The bot in the other mode; none if it does not run on this machine.
fn in_other_mode(contender: &Contender, own_ms: f64) -> Option<Contender> {
    let mode = match contender.mode {
        ProgramMode::PerMove => ProgramMode::Resident,
        ProgramMode::Resident => ProgramMode::PerMove,
        ProgramMode::Remote => return None,
    };
    let own = Duration::try_from_secs_f64(own_ms / 1000.0).unwrap_or_default();
    let wait = match mode {
        ProgramMode::Resident => own.saturating_mul(TIMES).saturating_add(PATIENCE),
        // Its start is not known yet.
        ProgramMode::PerMove | ProgramMode::Remote => own.saturating_add(ENOUGH),
    };
    let limits = Limits { time: contender.limits.time.min(wait), ..contender.limits };
    Some(Contender { mode, limits, ..contender.clone() })
}

fn starts(bot: &mut Bot) -> Vec<f64> {
    let began = Instant::now();
    let mut times = Vec::new();
    while times.len() < STARTS && began.elapsed() < ENOUGH {
        let Some(ms) = bot.start_without_request() else { return Vec::new() };
        times.push(ms);
    }
    times
}

/// Returns the times of its answers; none if one of them is not legal.
fn answers(bot: &mut Bot, exchanges: &[&Exchange]) -> Vec<f64> {
    let began = Instant::now();
    let mut times = Vec::new();
    for exchange in exchanges.iter().take_while(|_| began.elapsed() < ENOUGH) {
        let Prompt::Request(request) = &exchange.prompt else { return Vec::new() };
        let reply = bot.ask(&exchange.prompt, None);
        let sample = StandaloneRequest::read(request).ok();
        if sample.and_then(|sample| sample.played(Dialect::Native, reply.answer)).is_none() {
            return Vec::new();
        }
        times.push(reply.measured.ms);
    }
    times
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use contest::reviewing::with_time;
    use rules::tablic::Tablic;
    use rules::{GameKind, Request};

    use super::*;
    use crate::bot::requests;
    use crate::report::{WIDTH, abridged};

    fn read(text: &str) -> Request<Tablic> {
        text.parse().expect("a request")
    }

    #[test]
    fn what_is_added_says_nothing() {
        for sample in requests::for_game(&GameKind::of::<Tablic>(), "") {
            let request = sample.text;
            for other in [with_unknown_keys(request), longer_by(request, 64 << 10)] {
                assert_eq!(read(&other), read(request), "{}", sample.name);
                assert_eq!(other.lines().take(2).collect::<Vec<_>>().len(), 2);
                assert!(other.len() > request.len());
            }
            assert!(longer_by(request, 64 << 10).len() > request.len() + (64 << 10));
            assert_eq!(with_time(request, 5000), request);
            assert_eq!(read(&with_time(request, 77)).heading.time, 77);
        }
    }

    #[test]
    fn a_second_chance_is_told_as_in_a_match() {
        for sample in requests::for_game(&GameKind::of::<Tablic>(), "") {
            let first = Prompt::Request(sample.text.to_owned());
            let Prompt::Request(second) = with_second_chance(&first, 2, "not this, \u{1b}[2J")
            else {
                unreachable!("{first:?}")
            };
            let mut request = read(&second);
            let retry = request.heading.retry.take().expect("a second chance");
            assert_eq!((retry.number, retry.reason.as_str()), (2, "not this, \\u{1b}[2J"));
            assert_eq!(request, read(sample.text), "{}", sample.name);
        }
    }

    #[test]
    fn every_request_fits_on_a_screen() {
        for sample in requests::for_game(&GameKind::of::<Tablic>(), "") {
            for request in [sample.text.to_owned(), longer_by(sample.text, 1 << 16)] {
                let shown = abridged(&request);
                assert!(shown.len() < 34, "{}: {shown:#?}", sample.name);
                assert!(shown.iter().all(|line| line.chars().count() <= WIDTH + 1));
                assert_eq!(shown[..2], request.lines().take(2).collect::<Vec<_>>());
                assert_eq!(shown.last().map(String::as_str), Some("end"));
            }
        }
    }

    #[test]
    fn a_median_is_of_some_times() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }
}
