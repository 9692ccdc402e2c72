//! The output of tournaments: while they are played, and afterwards.

mod live_progress;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use std::{io, iter};

use ::standings::Standings;
use bot::sandboxed::SandboxedBots;
use rules::Outcome;
use serde::Serialize;
use series::game_status::GameStatus;
use standings::output;

use contest::playing::match_text::{ShownFault, remarks};
use contest::playing::series_runner::{ContestState, SeriesEvent};
use contest::tournament::folder::{RefusedBot, TournamentFolders, shown};
use contest::tournament::plan::Estimate;
use contest::tournament::sharded::survey::{PieceProgress, PieceStatus, ShardSpeed};
pub(crate) use live_progress::{LiveProgress, leave_for_good};
use text::columns::aligned;
use text::shell::word;
use text::{counted, printable};

/// The most bots that a line names.
const NAMED: usize = 5;

/// Describes the games to be played.
fn tell_begin(out: &mut dyn Write, state: &ContestState) -> io::Result<()> {
    let header = state.games.series.header();
    let bots = header.players.len();
    let (game, options) = (&header.game, &header.options);
    let (bots, games) = (counted(bots, "bot", "bots"), counted(header.games, "game", "games"));
    writeln!(out, "seed commitment: {}", header.commitment)?;
    writeln!(out, "{game} {options}: {bots}, {games}")?;
    tell_extension(out, state)?;
    match state.games.progress.played() {
        0 => writeln!(out),
        played => {
            writeln!(out, "{} already played\n", counted(played, "game was", "games were"))
        }
    }
}

/// Names the deals that an extension adds.
fn tell_extension(out: &mut dyn Write, state: &ContestState) -> io::Result<()> {
    let line = state.games.series.header().tournament.as_ref();
    let Some(line) = line.filter(|line| line.extends.is_some()) else { return Ok(()) };
    let (first, deals) = (line.schedule.first_deal, line.schedule.deals);
    let last = first.saturating_add(deals).saturating_sub(1);
    writeln!(out, "an extension, by {}: {first} to {last}", counted(deals, "deal", "deals"))
}

/// Lines for events that need attention.
fn tell_news(event: &SeriesEvent<'_>) -> Vec<String> {
    match event {
        SeriesEvent::GameOver { game, status, state } => {
            let mut news = Vec::new();
            for (seat, fault) in game.result.faults() {
                if let Some(name) = game.seats.get(seat.index()) {
                    news.push(format!("game {}: {name}, {fault}", game.game));
                }
            }
            if let Outcome::Void { reason } = &game.result {
                let left_out = if *status == GameStatus::GivenUp { ", and left out" } else { "" };
                let reason = printable(reason);
                news.push(format!("game {}: void{left_out}, {reason}", game.game));
            }
            for (place, player) in state.games.series.header().players.iter().enumerate() {
                if *status != GameStatus::Again
                    && state.games.progress.out_after(place) == Some(game.game)
                {
                    let name = &player.name;
                    news.push(format!("{name} disqualified: too many faults"));
                }
            }
            news
        }
        SeriesEvent::Warned { name, text } => vec![format!("warning: {name}: {text}")],
        SeriesEvent::Stopping { busy } => {
            let games = counted(*busy, "game", "games");
            vec![format!("stopping, {games} to finish; press Ctrl-C again to stop now")]
        }
        SeriesEvent::Started(_)
        | SeriesEvent::GameStarted(_)
        | SeriesEvent::Stepped { .. }
        | SeriesEvent::Tick { .. }
        | SeriesEvent::Stopped { .. }
        | SeriesEvent::Over { .. } => Vec::new(),
    }
}

/// The first bots with their scores, in one line.
fn leaders(state: &ContestState) -> String {
    let told: Vec<String> = state
        .results()
        .into_iter()
        .take(NAMED)
        .map(|bot| match bot.score {
            Some(score) => format!("{} {:.1}%", bot.name, 100.0 * score),
            None => bot.name,
        })
        .collect();
    told.join(", ")
}

/// Shows the result of a tournament, and the command that verifies it.
pub(crate) fn tell_result(
    out: &mut dyn Write,
    state: &ContestState,
    found: &Standings,
    folder: &Path,
    sandboxed: &SandboxedBots,
) -> io::Result<()> {
    write!(out, "{}", output::text(found))?;
    tell_remarks(out, state, folder, sandboxed)?;
    writeln!(out, "\nverify: arbiter verify {}", word(TournamentFolders::find(folder).first()))
}

/// Shows the state of a tournament, which may be running.
pub(crate) fn tell_status(
    out: &mut dyn Write,
    state: &ContestState,
    running: &str,
    shards: Option<&ShardsSummary>,
    folder: &Path,
) -> io::Result<()> {
    let header = state.games.series.header();
    writeln!(out, "{} {}, {running}", header.game, header.options)?;
    writeln!(out, "seed commitment: {}", header.commitment)?;
    if let Some(shard) = header.tournament.as_ref().and_then(|line| line.schedule.shard) {
        writeln!(out, "shard {shard}")?;
    }
    tell_extension(out, state)?;
    writeln!(out, "{} of {}", settled_games(state), counted(header.games, "game", "games"))?;
    if let Some(shards) = shards {
        shards.tell(out)?;
    }
    writeln!(out)?;
    write!(out, "{}", results(state))?;
    tell_remarks(
        out,
        state,
        TournamentFolders::find_begun(folder).last(),
        &SandboxedBots::default(),
    )
}

/// The table of results. Ratings and intervals would take a while with many bots.
fn results(state: &ContestState) -> String {
    let heading = ["bot", "games", "won", "drawn", "lost", "score"].map(str::to_owned).to_vec();
    let rows = state.results().into_iter().map(|bot| {
        let counts = [bot.games, bot.won, bot.drawn, bot.lost].map(|count| count.to_string());
        let score = bot.score.map_or_else(|| "-".to_owned(), |it| format!("{:.1}%", 100.0 * it));
        [vec![printable(&bot.name)], counts.to_vec(), vec![score]].concat()
    });
    aligned(&iter::once(heading).chain(rows).collect::<Vec<_>>(), 1)
}

pub(crate) fn list_refused(out: &mut dyn Write, refused: &[RefusedBot]) -> io::Result<()> {
    if refused.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nrejected submissions:")?;
    for RefusedBot { folder, why, report } in refused {
        let report = report.as_ref().map_or_else(String::new, |file| format!(", see {file}"));
        writeln!(out, "{}", printable(&format!("{folder}: {why}{report}")))?;
    }
    Ok(())
}

/// Shows the games and remarks of an earlier part of a tournament.
pub(crate) fn tell_part(out: &mut dyn Write, part: &Path, state: &ContestState) -> io::Result<()> {
    let games = state.games.series.header().games;
    writeln!(
        out,
        "\nbefore that, in `{}`: {} of {games} games",
        shown(part),
        settled_games(state)
    )?;
    tell_remarks(out, state, part, &SandboxedBots::default())
}

fn tell_remarks(
    out: &mut dyn Write,
    state: &ContestState,
    part: &Path,
    sandboxed: &SandboxedBots,
) -> io::Result<()> {
    let mut lines = String::new();
    for (place, player) in state.games.series.header().players.iter().enumerate() {
        if let Some(after) = state.games.progress.out_after(place) {
            let name = &player.name;
            lines.push_str(&format!("{name}: disqualified after game {after}, too many faults\n"));
        }
    }
    let progress = &state.games.progress;
    let ended = progress.played() + progress.given_up();
    let skipped = match progress.is_decided() {
        true => state.games.series.schedule().own_games().saturating_sub(ended),
        false => progress.skipped(),
    };
    if skipped > 0 {
        let games = counted(skipped, "game was", "games were");
        let why = if progress.is_decided() { ": sequential test decided" } else { "" };
        lines.push_str(&format!("{games} skipped{why}\n"));
    }
    for total in state.games.totals.players() {
        if let Some(fault) = ShownFault::first_fault(total, sandboxed) {
            let (name, games) = (&total.name, counted(total.faults, "game", "games"));
            lines.push_str(&format!(
                "{name}: forfeited {games}, first game {}: {}, {}\n",
                fault.game,
                fault.verdict,
                printable(fault.detail)
            ));
            lines.push_str(&fault.details_in_tournament(part));
        }
    }
    lines.push_str(&remarks(&state.games.totals));
    if lines.is_empty() { Ok(()) } else { write!(out, "\n{lines}") }
}

/// The number of games that need not be played any more.
fn settled_games(state: &ContestState) -> u64 {
    state.games.progress.played() + state.games.progress.given_up() + state.games.progress.skipped()
}

/// The most bots that are named.
const NAMED_UNCHECKED: usize = 3;

/// Words an estimate; `how` says under what it holds.
pub(crate) fn estimate_sentence(Estimate { time, unchecked }: &Estimate, how: &str) -> String {
    let time = rounded(*time);
    match unchecked.as_slice() {
        [] => format!("about {time} {how}"),
        few if few.len() <= NAMED_UNCHECKED => {
            let names: Vec<String> = few.iter().map(|name| printable(name)).collect();
            format!("at least {time} {how}, excluding {}", names.join(", "))
        }
        many => {
            let bots = counted(many.len(), "bot", "bots");
            format!("at least {time} {how}, excluding {bots}")
        }
    }
}

/// A time in the two largest units that matter for a person who waits.
fn rounded(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    let (minutes, hours) = (seconds.div_ceil(60), seconds.div_ceil(3600));
    match seconds {
        0..120 => format!("{} s", seconds.max(1)),
        120..=3540 => format!("{minutes} min"),
        3541..172_800 => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => format!("{} d {} h", hours / 24, hours % 24),
    }
}

/// The most shards that a line names.
const NAMED_SHARDS: usize = 5;

#[derive(Debug, Serialize)]
pub(crate) struct ShardsSummary {
    finished: usize,
    running: Vec<u64>,
    stopped: Vec<u64>,
    /// Shards whose piece of the open block can be started.
    ready: Vec<u64>,
    /// Shards that have played their piece of a block, while other pieces of it are not over.
    waiting: Vec<u64>,
    missing: Vec<u64>,
    /// Shards that cannot be merged.
    unusable: Vec<u64>,
    /// The reasons for that.
    wrong: Vec<String>,
    /// The first block of deals that is not played yet, if the plan has blocks.
    block: Option<u64>,
    games_a_second: Option<f64>,
    seconds_left: Option<u64>,
}

impl ShardsSummary {
    pub(crate) fn new(pieces: &[PieceStatus], pace: Option<ShardSpeed>) -> ShardsSummary {
        let is_open = |piece: &&PieceStatus| !matches!(piece.stage, PieceProgress::Over { .. });
        let block_of = |piece: &PieceStatus| piece.piece.block.map(|block| block.number);
        let block = pieces.iter().filter(is_open).filter_map(block_of).min();
        let mut line = ShardsSummary {
            finished: 0,
            running: Vec::new(),
            stopped: Vec::new(),
            ready: Vec::new(),
            waiting: Vec::new(),
            missing: Vec::new(),
            unusable: Vec::new(),
            wrong: Vec::new(),
            block,
            games_a_second: pace.map(|pace| pace.games_a_second),
            seconds_left: pace.map(|pace| pace.left.as_secs()),
        };
        let mut shards: BTreeMap<u64, Vec<&PieceStatus>> = BTreeMap::new();
        for piece in pieces {
            shards.entry(piece.piece.shard.index).or_default().push(piece);
            if let PieceProgress::Wrong(problem) = &piece.stage {
                line.wrong.push(format!("{} {problem}", piece.piece.name()));
            }
        }
        for (index, pieces) in shards {
            match how_far(&pieces, block) {
                ShardProgress::Finished => line.finished += 1,
                ShardProgress::Running => line.running.push(index),
                ShardProgress::Stopped => line.stopped.push(index),
                ShardProgress::Ready => line.ready.push(index),
                ShardProgress::Waiting => line.waiting.push(index),
                ShardProgress::Missing => line.missing.push(index),
                ShardProgress::Unusable => line.unusable.push(index),
            }
        }
        line
    }

    pub(crate) fn state(&self) -> &'static str {
        let left = [&self.stopped, &self.ready, &self.waiting, &self.missing, &self.unusable];
        let is_whole = left.iter().all(|shards| shards.is_empty());
        match (self.running.is_empty(), is_whole) {
            (false, _) => "running",
            (true, true) => "played, not merged yet",
            (true, false) => "not running",
        }
    }

    /// Shows the progress in words.
    pub(crate) fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
        let block = self.block.unwrap_or_default();
        let (ready, waiting) =
            (format!("ready for block {block}"), format!("waiting for the end of block {block}"));
        let lists = [
            ("running", &self.running),
            ("stopped", &self.stopped),
            (&*ready, &self.ready),
            (&*waiting, &self.waiting),
            ("not started", &self.missing),
            ("unusable", &self.unusable),
        ];
        let all = self.finished + lists.iter().map(|(_, shards)| shards.len()).sum::<usize>();
        let (shards, finished) = (counted(all as u64, "shard", "shards"), self.finished);
        writeln!(out, "{shards}: {finished} finished")?;
        for (what, shards) in lists.into_iter().filter(|(_, shards)| !shards.is_empty()) {
            let named: Vec<String> = shards.iter().take(NAMED_SHARDS).map(u64::to_string).collect();
            let more = if shards.len() > NAMED_SHARDS { ", …" } else { "" };
            writeln!(out, "  {} {what}: {}{more}", shards.len(), named.join(", "))?;
        }
        for wrong in &self.wrong {
            writeln!(out, "  {wrong}")?;
        }
        if let (Some(pace), Some(left)) = (self.games_a_second, self.seconds_left) {
            let left = humantime::format_duration(Duration::from_secs(left));
            writeln!(out, "{pace:.1} games per second, {left} left")?;
        }
        Ok(())
    }
}

enum ShardProgress {
    Finished,
    Running,
    Stopped,
    Ready,
    Waiting,
    Missing,
    Unusable,
}

/// The progress of a shard with these pieces. `open` is the first block that is not played.
fn how_far(pieces: &[&PieceStatus], open: Option<u64>) -> ShardProgress {
    let stages = || pieces.iter().map(|piece| &piece.stage);
    let own = pieces.iter().find(|piece| piece.piece.block.map(|block| block.number) == open);
    if stages().any(|stage| matches!(stage, PieceProgress::Wrong(_))) {
        ShardProgress::Unusable
    } else if stages().any(|stage| matches!(stage, PieceProgress::Begun { is_running: true, .. })) {
        ShardProgress::Running
    } else if stages().all(|stage| matches!(stage, PieceProgress::Over { .. })) {
        ShardProgress::Finished
    } else if stages().all(|stage| *stage == PieceProgress::Missing) {
        ShardProgress::Missing
    } else {
        match own.map(|piece| &piece.stage) {
            Some(PieceProgress::Over { .. }) => ShardProgress::Waiting,
            Some(PieceProgress::Missing) => ShardProgress::Ready,
            _ => ShardProgress::Stopped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_units_that_matter() {
        for (seconds, text) in [
            (0, "1 s"),
            (119, "119 s"),
            (121, "3 min"),
            (3541, "1 h 0 min"),
            (6000, "1 h 40 min"),
            (172_000, "47 h 47 min"),
            (180_000, "2 d 2 h"),
        ] {
            assert_eq!(rounded(Duration::from_secs(seconds)), text, "{seconds}");
        }
    }
}
