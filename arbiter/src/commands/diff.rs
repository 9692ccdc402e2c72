//! `arbiter diff`: the first difference between two runs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use check::report::cut;
use clap::Args;
use record::checked_log::CheckedGame;
use rules::{GameRecord, RefereeInput};
use series::{Header, Series};
use text::failure::Failure;
use text::{counted, printable};

use crate::disputes;
use crate::disputes::rerun::ComparedAnswer;
use crate::disputes::{LoggedGame, failure};
use crate::options::game::RulesArgs;

#[derive(Debug, Args)]
#[command(after_help = "Exits with 6 if the games differ.

Example: arbiter diff a.jsonl b.jsonl")]
pub(crate) struct DiffArgs {
    /// Log or tournament folder
    #[arg(value_name = "LOG|DIR")]
    one: PathBuf,
    /// Second log or tournament folder
    #[arg(value_name = "LOG|DIR")]
    other: PathBuf,
    #[command(flatten)]
    rules: RulesArgs,
}

impl DiffArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.rules.open()?;
        compare(&self.one, &self.other, out).map_err(Failure::or_undone)
    }
}

/// Compares two logs game by game, and fails with [`Failure::Different`] at the first difference that matters.
///
/// Times, standard error and the spelling of a move do not count as differences. Differences
/// between the headers are reported, but do not count either.
fn compare(one: &Path, other: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let mut left = disputes::open(one).map_err(|error| failure(one, error))?;
    let mut right = disputes::open(other).map_err(|error| failure(other, error))?;
    let names = [one, other].map(|path| printable(&path.display().to_string()));
    let part = |problem: String| {
        Failure::Different(format!("{} and {}: {problem}", one.display(), other.display()))
    };
    let headers = [left.series().header(), right.series().header()];
    if let Some(problem) = incomparable(headers) {
        return Err(part(problem));
    }
    tell_setup(headers, out)?;
    let mut games = 0_u64;
    loop {
        let next = [
            left.next_whole_game(&names[0]).map_err(|error| failure(one, error))?,
            right.next_whole_game(&names[1]).map_err(|error| failure(other, error))?,
        ];
        let problem = match next {
            [None, None] => break,
            [Some(CheckedGame { line, game, .. }), Some(other)] => {
                difference(left.series(), line, &game, &other.game)
            }
            [Some(_), None] => Some(ended("second", games)),
            [None, Some(_)] => Some(ended("first", games)),
        };
        if let Some(problem) = problem {
            return Err(part(problem));
        }
        games += 1;
    }
    let games = counted(games, "game", "games");
    Ok(writeln!(out, "{games}, no differences")?)
}

fn ended(which: &str, games: u64) -> String {
    format!("the {which} ends after {}", counted(games, "game", "games"))
}

/// The reason why the games of two headers cannot be compared, if any.
fn incomparable([left, right]: [&Header; 2]) -> Option<String> {
    let both = |what: &str, left: &str, right: &str| {
        (left != right).then(|| format!("{what} `{}` and `{}`", printable(left), printable(right)))
    };
    both("games", &left.game, &right.game)
        .or_else(|| both("options", &left.options, &right.options))
        .or_else(|| {
            let counts = [left.players.len(), right.players.len()];
            let problem = || format!("{} and {} players", counts[0], counts[1]);
            (counts[0] != counts[1]).then(problem)
        })
        .or_else(|| {
            let schedules = [left, right].map(|header| header.tournament.as_ref());
            let schedules = schedules.map(|tournament| tournament.map(|it| &it.schedule));
            (schedules[0] != schedules[1]).then(|| "two schedules".to_owned())
        })
}

/// Shows differences in the setup, which may explain the difference.
fn tell_setup([left, right]: [&Header; 2], out: &mut dyn Write) -> io::Result<()> {
    if left.version != right.version {
        writeln!(
            out,
            "note: versions {} and {}",
            printable(&left.version),
            printable(&right.version)
        )?;
    }
    if left.commitment != right.commitment || left.entropy != right.entropy {
        writeln!(out, "note: different seeds, so the cards differ")?;
    }
    if left.retries != right.retries {
        writeln!(out, "note: {} and {} retries", left.retries, right.retries)?;
    }
    for (number, (one, other)) in left.players.iter().zip(&right.players).enumerate() {
        let (a, b) = (printable(&one.name), printable(&other.name));
        if one.name != other.name {
            writeln!(out, "note: player {number} is named {a} and {b}")?;
        }
        if one.command != other.command {
            let commands = [&one.command, &other.command].map(|command| printable(command));
            writeln!(out, "note: {a} is `{}` and `{}`", commands[0], commands[1])?;
        } else if one.files != other.files {
            writeln!(out, "note: the files of {a} differ")?;
        }
        if one.limits != other.limits {
            writeln!(out, "note: the limits of {a} differ")?;
        }
    }
    Ok(())
}

/// The first difference between two games, with its place.
fn difference(
    series: &Series,
    line: usize,
    game: &GameRecord,
    other: &GameRecord,
) -> Option<String> {
    let number = game.game;
    let same_place =
        (game.game, game.attempt, game.deal) == (other.game, other.attempt, other.deal);
    if !same_place {
        let of = |game: &GameRecord| format!("game {} attempt {}", game.game, game.attempt);
        return Some(format!("{} and {} are at the same place", of(game), of(other)));
    }
    let mut answers = 0;
    let is_same = |mine, theirs| {
        ComparedAnswer::from(mine).is_same(&ComparedAnswer::from(theirs), series.kind())
    };
    let pairs = game.inputs.iter().map(Some).chain(std::iter::repeat(None));
    let others = other.inputs.iter().map(Some).chain(std::iter::repeat(None));
    for (mine, theirs) in pairs.zip(others) {
        match (mine, theirs) {
            (None, None) => break,
            (Some(RefereeInput::Chance(mine)), Some(RefereeInput::Chance(theirs)))
                if mine == theirs => {}
            (Some(RefereeInput::Answer(mine)), Some(RefereeInput::Answer(theirs)))
                if mine.seat == theirs.seat && is_same(mine, theirs) =>
            {
                answers += 1;
            }
            (mine, theirs) => {
                let problem = format!("{} and {}", describe_input(mine), describe_input(theirs));
                let place = place(series, line, game, answers, mine.or(theirs));
                return Some(format!("game {number}, {place}: {problem}"));
            }
        }
    }
    let mut events = game.events.iter().zip(&other.events);
    if let Some((mine, theirs)) = events.find(|(mine, theirs)| mine != theirs) {
        let (mine, theirs) = (printable(mine), printable(theirs));
        return Some(format!("game {number}: the events `{mine}` and `{theirs}` differ"));
    }
    (game.result != other.result)
        .then(|| format!("game {number}: the same moves have different results"))
}

/// The place of an input that came after this number of answers.
fn place(
    series: &Series,
    line: usize,
    game: &GameRecord,
    answers: usize,
    input: Option<&RefereeInput>,
) -> String {
    let is_chance = matches!(input, Some(RefereeInput::Chance(_)));
    let mut moments = Vec::new();
    let logged = LoggedGame { series: series.clone(), line, game: game.clone() };
    // If the log turns out to be wrong, the moments before are shown.
    let _ = logged.questions(&mut |moment, _, _, _| moments.push(moment));
    match (moments.get(answers), is_chance) {
        (Some(moment), false) => {
            let name = logged.name(moment.seat);
            format!("move {}, seat {} {name}", moment.number, moment.seat)
        }
        (Some(moment), true) => format!("the cards before move {}", moment.number),
        (None, _) => format!("after {}", counted(answers, "answer", "answers")),
    }
}

fn describe_input(input: Option<&RefereeInput>) -> String {
    match input {
        None => "nothing".to_owned(),
        Some(RefereeInput::Chance(cards)) => format!("`{}`", printable(cards)),
        Some(RefereeInput::Answer(answer)) => {
            format!("`{}` {}", cut(&answer.reply.to_string()), answer.verdict)
        }
    }
}
