//! The progress of the shards of a tournament, in words and as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use contest::tournament::sharded::survey::Pace;
use contest::tournament::sharded::survey::{PieceStatus, Stage};
use text::counted;

/// The most shards that a line names.
const NAMED: usize = 5;

/// The progress of all shards.
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
    pub(crate) fn new(pieces: &[PieceStatus], pace: Option<Pace>) -> ShardsSummary {
        let is_open = |piece: &&PieceStatus| !matches!(piece.stage, Stage::Over { .. });
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
            if let Stage::Wrong(problem) = &piece.stage {
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
            let named: Vec<String> = shards.iter().take(NAMED).map(u64::to_string).collect();
            let more = if shards.len() > NAMED { ", …" } else { "" };
            writeln!(out, "  {} {what}: {}{more}", shards.len(), named.join(", "))?;
        }
        for wrong in &self.wrong {
            writeln!(out, "  {wrong}")?;
        }
        if let (Some(pace), Some(left)) = (self.games_a_second, self.seconds_left) {
            let left = humantime::format_duration(std::time::Duration::from_secs(left));
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
    if stages().any(|stage| matches!(stage, Stage::Wrong(_))) {
        ShardProgress::Unusable
    } else if stages().any(|stage| matches!(stage, Stage::Begun { is_running: true, .. })) {
        ShardProgress::Running
    } else if stages().all(|stage| matches!(stage, Stage::Over { .. })) {
        ShardProgress::Finished
    } else if stages().all(|stage| *stage == Stage::Missing) {
        ShardProgress::Missing
    } else {
        match own.map(|piece| &piece.stage) {
            Some(Stage::Over { .. }) => ShardProgress::Waiting,
            Some(Stage::Missing) => ShardProgress::Ready,
            _ => ShardProgress::Stopped,
        }
    }
}
