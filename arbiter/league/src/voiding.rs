//! Making games void, having them count again, and letting bots leave: what an organiser does to results, and what
//! follows from it before it is done.

use std::cmp::Reverse;
use std::str::FromStr;
use std::sync::Arc;

use rules::NotText;
use text::failure::Failure;
use text::shell::word;

use crate::correction::{Correction, reason_in_line};
use crate::events::{self, LeagueEvent};
use crate::folder::LeagueFolder;
use crate::line::{LeagueLine, ReinstateLine, VoidLine};
use crate::stage::ForfeitRule;
use crate::stage::output::if_it_leaves;
use crate::state::{League, LeaveReason, Round};
use crate::version::BotVersion;
use bot::spelt_as_names;
use contest::tournament::folder::shown;

/// A round, or games of it, as in `3` or `3/17,18`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoidScope {
    pub round: u64,
    /// The games, in order; none for all of them.
    pub games: Vec<u64>,
}

impl FromStr for VoidScope {
    type Err = NotText;

    fn from_str(text: &str) -> Result<VoidScope, NotText> {
        let wrong =
            || NotText::new("a round or games of a round, such as 3, 3/17 or 3/17,18", text);
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        let (round, games) = match text.split_once('/') {
            None => (text, Vec::new()),
            Some((round, games)) => {
                (round, games.split(',').map(number).collect::<Result<Vec<u64>, NotText>>()?)
            }
        };
        let mut scope = VoidScope { round: number(round)?, games };
        scope.games.sort_unstable();
        scope.games.dedup();
        Ok(scope)
    }
}

/// Games that are to become void, or to be played again: those of a bot in these rounds, or all of them.
#[derive(Debug, Clone)]
pub struct CorrectionRequest<'a> {
    pub rounds: &'a [VoidScope],
    pub bot: Option<&'a BotVersion>,
    /// The reason, for the log.
    pub reason: &'a str,
}

impl CorrectionRequest<'_> {
    /// Returns the lines of the log that make the games void, if the league takes them. Without rounds they are those
    /// of the bot in all rounds so far.
    fn void_lines(&self, folder: &LeagueFolder, league: &League) -> Result<Vec<VoidLine>, Failure> {
        let reason = reason_in_line(self.reason)?;
        let line = |round: Option<u64>, games: Vec<u64>| VoidLine {
            round,
            games,
            bot: self.bot.cloned(),
            reason: reason.clone(),
        };
        let mut lines: Vec<VoidLine> =
            self.rounds.iter().map(|it| line(Some(it.round), it.games.clone())).collect();
        if lines.is_empty() {
            lines.push(line(None, Vec::new()));
        }
        // A stage is taken back from its end.
        lines.sort_by_key(|line| Reverse(line.round));
        check(folder, league, &lines)?;
        Ok(lines)
    }

    /// Returns the games that would become void, in words, with nothing changed.
    ///
    /// # Errors
    ///
    /// As for [`void`].
    pub fn forecast_void(&self, folder: &LeagueFolder) -> Result<Vec<String>, Failure> {
        let league = folder.read()?;
        let lines = self.void_lines(folder, &league)?.into_iter().map(LeagueLine::Void).collect();
        let before = league.corrections().all().len();
        let after = folder.trial(&league, lines)?;
        let new = &after.corrections().all()[before..];
        Ok(new.iter().map(Correction::games_in_words).collect())
    }

    /// Returns true if the rounds are of a stage, whose rule plays them again.
    pub fn is_of_stage(&self, league: &League) -> bool {
        let is_of_stage = |scope: &VoidScope| {
            let mut rounds = league.rounds().iter();
            rounds.any(|it| it.line.round == scope.round && it.line.stage.is_some())
        };
        self.rounds.iter().any(is_of_stage)
    }
}

/// Makes games void: all that the request names, or none if it fails. Returns them in words, and the league.
///
/// # Errors
///
/// [`Failure::Usage`] for rounds that are not over, rounds of a stage without later ones, and games that are void.
pub fn void(
    folder: &LeagueFolder,
    request: &CorrectionRequest<'_>,
) -> Result<(Vec<String>, Arc<League>), Failure> {
    let mut before = 0;
    let league = folder.append(|league| {
        before = league.corrections().all().len();
        let lines = request.void_lines(folder, league)?;
        Ok::<_, Failure>(lines.into_iter().map(LeagueLine::Void).collect())
    })?;
    let mut done = Vec::new();
    for correction in &league.corrections().all()[before..] {
        let (games, reason) = (correction.games_in_words(), correction.line.reason.clone());
        events::add(folder, LeagueEvent::Void { games: games.clone(), reason });
        done.push(games);
    }
    Ok((done, league))
}

/// Has void games count again, by the number of their correction, and returns them in words.
///
/// # Errors
///
/// [`Failure::Usage`] if there is no such correction, or its games cannot count again.
pub fn reinstate(folder: &LeagueFolder, number: usize, reason: &str) -> Result<String, Failure> {
    let reason = reason_in_line(reason)?;
    let league = folder.append(|league| {
        let Some(found) = league.corrections().all().get(number) else {
            let folder = word(folder.path());
            return Err(Failure::Usage(format!(
                "no correction {number}: `arbiter league corrections {folder}` lists them"
            )));
        };
        let line = ReinstateLine { void: found.digest, reason: reason.clone() };
        Ok(vec![LeagueLine::Reinstate(line)])
    })?;
    let found = league.corrections().all().get(number);
    let games = found.map(Correction::games_in_words).unwrap_or_default();
    events::add(folder, LeagueEvent::Reinstated { games: games.clone(), reason });
    Ok(games)
}

/// Checks what can be said better than by the log of a league.
fn check(folder: &LeagueFolder, league: &League, lines: &[VoidLine]) -> Result<(), Failure> {
    let usage = |problem: String| Err(Failure::Usage(problem));
    let last = league.rounds().iter().filter(|round| round.over.is_some()).count();
    if last == 0 {
        return usage(format!("`{}` has no finished rounds", shown(folder.path())));
    }
    for line in lines {
        let Some(number) = line.round else { continue };
        let found = league.rounds().iter().find(|round| round.line.round == number);
        let Some(round) = found.filter(|round| round.over.is_some()) else {
            return usage(format!("round {number} is not finished: rounds are 0 to {}", last - 1));
        };
        let is_whole = |it: &Correction| it.line.bot.is_none() && it.line.games.is_empty();
        let later = |other: &&Round| {
            other.line.stage == round.line.stage
                && other.line.round > number
                && other.over.as_ref().is_some_and(|over| over.broken.is_none())
                && !lines.iter().any(|line| line.round == Some(other.line.round))
                && !league.corrections().of_round(&other.line).any(is_whole)
        };
        let later = league.rounds().iter().filter(later).map(|it| it.line.round.to_string());
        let later: Vec<String> = later.filter(|_| round.line.stage.is_some()).collect();
        if !later.is_empty() {
            return usage(format!(
                "round {number} decides who plays later in its stage: also name {} {}",
                if later.len() == 1 { "round" } else { "rounds" },
                later.join(", ")
            ));
        }
    }
    for (place, line) in lines.iter().enumerate() {
        let active = league.corrections().all().iter().filter(|it| it.reinstated.is_none());
        // Of a bot in all rounds, there may be new rounds.
        let active = active.filter(|it| line.round.is_some() || it.is_of_first(last as u64));
        let known = active.map(|it| &it.line).chain(&lines[..place]);
        if known.into_iter().any(|other| has_all(other, line)) {
            let games = match (line.round, &line.bot) {
                (Some(number), _) => format!("these games of round {number}"),
                (None, Some(bot)) => format!("all games of {bot}"),
                (None, None) => "these games".to_owned(),
            };
            let folder = word(folder.path());
            return usage(format!(
                "{games} are already void: see `arbiter league corrections {folder}`"
            ));
        }
    }
    Ok(())
}

/// Returns true if a line makes all games of another one void.
fn has_all(line: &VoidLine, other: &VoidLine) -> bool {
    line.round == other.round
        && (line.bot.is_none() || line.bot == other.bot)
        && (line.games.is_empty()
            || (!other.games.is_empty()
                && other.games.iter().all(|game| line.games.binary_search(game).is_ok())))
}

/// Says what follows in the open stage if these bots leave.
pub fn forecast_of_stage(folder: &LeagueFolder, league: &League, names: &[String]) -> Vec<String> {
    let Some(stage) = league.open_stage() else { return Vec::new() };
    let names: Vec<String> = names.iter().map(|name| spelt_as_names(name)).collect();
    let leaving = (0..).zip(&stage.line.bots).filter(|(_, bot)| names.contains(&bot.bot));
    let follows = leaving.map(|(seed, bot)| match stage.line.forfeits {
        ForfeitRule::Listed => if_it_leaves(stage, seed),
        ForfeitRule::Unlisted => {
            let (number, folder) = (stage.line.stage, word(folder.path()));
            format!(
                "stage {number} continues with {bot} until `arbiter league stage {folder} --end`"
            )
        }
    });
    follows.collect()
}

/// Lets the newest versions of these bots leave: all of them, or none if it fails. Returns them, and the league.
///
/// # Errors
///
/// [`Failure::Usage`] if one of them does not play, or the reason is too long.
pub fn leave(
    folder: &LeagueFolder,
    names: &[String],
    why: Option<LeaveReason>,
) -> Result<(Vec<BotVersion>, Arc<League>), Failure> {
    let why = match why {
        Some(why) => Some(LeaveReason { reason: reason_in_line(&why.reason)?, ..why }),
        None => None,
    };
    let league = folder.retire(names, why.as_ref())?;
    let current = names.iter().filter_map(|name| league.current(&spelt_as_names(name)));
    let left: Vec<BotVersion> = current.map(|member| member.entry.bot.clone()).collect();
    if let Some(LeaveReason { reason, disqualified }) = why {
        for bot in &left {
            let (bot, reason) = (bot.clone(), reason.clone());
            events::add(folder, LeagueEvent::Left { bot, reason, disqualified });
        }
    }
    Ok((left, league))
}
