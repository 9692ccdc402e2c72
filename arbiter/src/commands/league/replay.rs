//! `arbiter league replay`: void games are played again.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::commands::league::corrections::VoidScope;
use league::audit;
use league::correction::reason_in_line;
use league::events::{self, LeagueEvent};
use league::folder::LeagueFolder;
use league::line::{LeagueLine, ReplayLine, RoundLine, VoidLine};
use league::state::Round;
use league::{BotVersion, League};
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// The options of `arbiter league replay`.
#[derive(Debug, Args)]
#[command(
    after_help = "The next round plays the tables of these games again, with new cards, in every seat \
rotation of a deal. Games that still count become void first, with the other games of their deal. A \
table whose bots do not all play any more is left out. A round of a stage is replayed by \
`arbiter league void` alone.

Examples:
  arbiter league replay class 3 --reason \"the machine ran out of memory\"
  arbiter league replay class 3/17,18 --reason \"cards were visible\"
  arbiter league replay class 3 --bot ben@1 --reason \"ben could not read its files\""
)]
pub(super) struct ReplayArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Rounds, or games of a round, such as 3, 3/17 or 3/17,18
    #[arg(value_name = "ROUND[/GAME]", required = true)]
    rounds: Vec<VoidScope>,
    /// Only games of this version of a bot
    #[arg(long, value_name = "NAME@VERSION")]
    bot: Option<BotVersion>,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl ReplayArgs {
    /// Has games played again: all that the arguments name, or none if it fails.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let reason = reason_in_line(&self.reason)?;
        let mut lines = Vec::new();
        let mut left_out = BTreeSet::new();
        let mut before = 0;
        let league = folder.append(|league| {
            (lines, left_out) = (Vec::new(), BTreeSet::new());
            before = league.corrections().all().len();
            for scope in &self.rounds {
                let round = finished(league, scope.round)?;
                let found = games(league, round, scope, self.bot.as_ref(), &mut left_out)?;
                lines.extend(lines_for(league, &round.line, found, &reason));
            }
            Ok::<_, Failure>(lines.clone())
        })?;
        for (round, bots, gone) in left_out {
            say(format!("warning: {bots} in round {round} is not replayed: {gone} plays no more"));
        }
        for correction in &league.corrections().all()[before..] {
            let (games, reason) = (correction.games_in_words(), reason.clone());
            writeln!(out, "{games}: void")?;
            events::add(&folder, LeagueEvent::Void { games, reason });
        }
        for line in lines {
            if let LeagueLine::Replay(line) = line {
                let games = line.games_in_words();
                writeln!(out, "{games}: to be replayed")?;
                audit::add(
                    &folder,
                    audit::COMMAND,
                    "replay",
                    &format!("{games} ({})", line.reason),
                );
                events::add(&folder, LeagueEvent::Replay { games, reason: line.reason });
            }
        }
        if let Some(stage) = league.open_stage() {
            let number = stage.line.stage;
            say(format!("note: games are replayed once stage {number} is over"));
        }
        Ok(writeln!(out, "next: arbiter league run {}", word(folder.path()))?)
    }
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
            "game {game} of round {number} has a replay already: see `arbiter league corrections`"
        ));
    }
    match left_out.iter().find(|(of, ..)| *of == number) {
        Some((_, bots, gone)) => {
            usage(format!("{bots} in round {number} cannot be replayed: {gone} plays no more"))
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
