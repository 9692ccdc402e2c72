//! Having void games played again: which games, and the lines of the log for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use text::failure::Failure;

use crate::correction::{Correction, reason_in_line};
use crate::events::{self, LeagueEvent};
use crate::folder::LeagueFolder;
use crate::line::{LeagueLine, ReplayLine, RoundLine, VoidLine};
use crate::state::{League, Round};
use crate::version::BotVersion;
use crate::voiding::VoidScope;

/// Games that are to be played again: those of a bot in these rounds, or all of them.
#[derive(Debug, Clone)]
pub struct ReplayRequest<'a> {
    /// The rounds, or games of them.
    pub rounds: &'a [VoidScope],
    /// The version of the bot.
    pub bot: Option<&'a BotVersion>,
    /// The reason, for the log.
    pub reason: &'a str,
}

/// The effect of a request, in words.
#[derive(Debug, Clone, Default)]
pub struct ReplayOutcome {
    /// Games that become void by it.
    pub void: Vec<String>,
    /// Games that are played again.
    pub replayed: Vec<String>,
    /// Tables that are left out: the round, their bots, and the one that no longer plays.
    pub left_out: BTreeSet<(u64, String, BotVersion)>,
}

impl ReplayRequest<'_> {
    fn lines(
        &self,
        league: &League,
        outcome: &mut ReplayOutcome,
    ) -> Result<Vec<LeagueLine>, Failure> {
        if self.rounds.is_empty() {
            return Err(Failure::usage("no games to replay: name rounds, or games of a round"));
        }
        let reason = reason_in_line(self.reason)?;
        let mut lines = Vec::new();
        for scope in self.rounds {
            let round = finished(league, scope.round)?;
            let found = games(league, round, scope, self.bot, &mut outcome.left_out)?;
            lines.extend(lines_for(league, &round.line, found, &reason));
        }
        Ok(lines)
    }

    /// Returns what the request would do, with nothing changed.
    ///
    /// # Errors
    ///
    /// As for [`replay`].
    pub fn forecast(&self, folder: &LeagueFolder) -> Result<ReplayOutcome, Failure> {
        let league = folder.read()?;
        let mut outcome = ReplayOutcome::default();
        let lines = self.lines(&league, &mut outcome)?;
        let after = folder.trial(&league, lines.clone())?;
        outcome.tell(league.corrections().all().len(), &after, &lines);
        Ok(outcome)
    }
}

impl ReplayOutcome {
    fn tell(&mut self, before: usize, league: &League, lines: &[LeagueLine]) {
        let new = &league.corrections().all()[before..];
        self.void = new.iter().map(Correction::games_in_words).collect();
        let replayed = lines.iter().filter_map(|line| match line {
            LeagueLine::Replay(line) => Some(line.games_in_words()),
            _ => None,
        });
        self.replayed = replayed.collect();
    }
}

/// Has games played again: all that the request names, or none if it fails. Returns what was done, and the league.
///
/// # Errors
///
/// [`Failure::Usage`] for rounds that are not over or of a stage, games that were not played, and those that have a
/// replay or whose bots do not all play.
pub fn replay(
    folder: &LeagueFolder,
    request: &ReplayRequest<'_>,
) -> Result<(ReplayOutcome, Arc<League>), Failure> {
    let (mut outcome, mut lines, mut before) = (ReplayOutcome::default(), Vec::new(), 0);
    let league = folder.append(|league| {
        before = league.corrections().all().len();
        lines = request.lines(league, &mut outcome)?;
        Ok::<_, Failure>(lines.clone())
    })?;
    outcome.tell(before, &league, &lines);
    let reason = reason_in_line(request.reason)?;
    for games in &outcome.void {
        let (games, reason) = (games.clone(), reason.clone());
        events::add(folder, LeagueEvent::Void { games, reason });
    }
    for games in &outcome.replayed {
        let (games, reason) = (games.clone(), reason.clone());
        events::add(folder, LeagueEvent::Replay { games, reason });
    }
    Ok((outcome, league))
}

fn finished(league: &League, number: u64) -> Result<&Round, Failure> {
    let over = league.rounds().iter().filter(|round| round.over.is_some()).count();
    let found = league.rounds().iter().find(|round| round.line.round == number);
    match found.filter(|round| round.over.is_some()) {
        None if over == 0 => Err(Failure::Usage("no finished rounds".to_owned())),
        None => {
            let last = over - 1;
            Err(Failure::Usage(format!("round {number} is not finished: rounds are 0 to {last}")))
        }
        Some(round) if round.line.stage.is_some() => Err(Failure::Usage(format!(
            "round {number} belongs to a stage: make it void with `arbiter league void`, and the stage replays it"
        ))),
        Some(round) => Ok(round),
    }
}

/// The games that are to be replayed, in whole deals. Tables with bots that play no more are left out, and noted.
fn games(
    league: &League,
    round: &Round,
    scope: &VoidScope,
    bot: Option<&BotVersion>,
    left_out: &mut BTreeSet<(u64, String, BotVersion)>,
) -> Result<BTreeSet<u64>, Failure> {
    let (line, seats) = (&round.line, league.seats());
    let number = line.round;
    let usage = |problem: String| Err(Failure::Usage(problem));
    let all = line.games(seats);
    if let Some(game) = scope.games.last().filter(|game| **game >= all) {
        return usage(format!("no game {game} in round {number}: games are 0 to {}", all - 1));
    }
    if let Some(bot) = bot.filter(|bot| !line.bots.contains(bot)) {
        return usage(format!("{bot} did not play in round {number}"));
    }
    let aborted = round.over.as_ref().filter(|over| over.broken.is_some());
    let played = aborted.map_or(all, |over| over.games.min(all));
    let mut found = BTreeSet::new();
    let mut has_replay = None;
    for table in 0..line.tables.len() {
        let bots = line.bots_of(table);
        if bot.is_some_and(|bot| !bots.contains(&bot)) {
            continue;
        }
        for deal in 0..line.deals {
            let games = line.games_of(deal, table, seats);
            let is_meant = |game: u64| scope.games.is_empty() || scope.games.contains(&game);
            if games.start >= played || !games.clone().any(is_meant) {
                continue;
            }
            if league.has_replay(number, games.start) {
                has_replay = Some(games.start);
            } else if let Some(gone) = bots.iter().find(|bot| !league.is_active(bot)) {
                let names = bots.iter().map(ToString::to_string).collect::<Vec<_>>();
                left_out.insert((number, names.join(", "), (*gone).clone()));
            } else {
                found.extend(games);
            }
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    if let Some(game) = has_replay {
        return usage(format!(
            "game {game} of round {number} already has a replay: see `arbiter league corrections`"
        ));
    }
    match left_out.iter().find(|(of, ..)| *of == number) {
        Some((_, bots, gone)) => {
            usage(format!("{bots} in round {number} cannot be replayed: {gone} no longer plays"))
        }
        None => usage(format!("no such games were played in round {number}")),
    }
}

/// The lines by which these games of a round become void, as far as they count, and are replayed.
fn lines_for(
    league: &League,
    round: &RoundLine,
    games: BTreeSet<u64>,
    reason: &str,
) -> Vec<LeagueLine> {
    let (number, seats) = (round.round, league.seats());
    let counts = |game: &&u64| {
        let bots = round.bots_of(round.place_of(**game, seats).1);
        league.corrections().of_game(number, **game, &bots).is_none()
    };
    let counting: Vec<u64> = games.iter().filter(counts).copied().collect();
    let all = round.games(seats);
    // All games of a round need not be listed.
    let listed = |games: Vec<u64>| if games.len() as u64 == all { Vec::new() } else { games };
    let reason = reason.to_owned();
    let void = (!counting.is_empty()).then(|| {
        let (games, reason) = (listed(counting), reason.clone());
        LeagueLine::Void(VoidLine { round: Some(number), games, bot: None, reason })
    });
    let games = listed(games.into_iter().collect());
    let replay = LeagueLine::Replay(ReplayLine { round: number, games, reason });
    void.into_iter().chain([replay]).collect()
}
