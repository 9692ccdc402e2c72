//! How far the shards of a tournament are, in words and as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::text::counted;
use crate::tournament::sharded::pace::Pace;
use crate::tournament::sharded::survey::{Stage, Surveyed};

/// How many shards are named in a line.
const NAMED: usize = 5;

/// How far all shards are.
#[derive(Debug, Serialize)]
pub struct ShardsLine {
    finished: usize,
    running: Vec<u64>,
    stopped: Vec<u64>,
    /// Those that have played their piece of a block whose other pieces are not over.
    waiting: Vec<u64>,
    missing: Vec<u64>,
    /// Those with something that cannot be merged.
    unusable: Vec<u64>,
    /// What is wrong with them, in words.
    wrong: Vec<String>,
    /// The first block of deals that is not played, if the plan has some and they are not all played.
    block: Option<u64>,
    games_a_second: Option<f64>,
    seconds_left: Option<u64>,
}

impl ShardsLine {
    /// The shards in these pieces.
    pub fn new(pieces: &[Surveyed], pace: Option<Pace>) -> ShardsLine {
        let is_open = |piece: &&Surveyed| !matches!(piece.stage, Stage::Over { .. });
        let block_of = |piece: &Surveyed| piece.piece.block.map(|block| block.number);
        let block = pieces.iter().filter(is_open).filter_map(block_of).min();
        let mut line = ShardsLine {
            finished: 0,
            running: Vec::new(),
            stopped: Vec::new(),
            waiting: Vec::new(),
            missing: Vec::new(),
            unusable: Vec::new(),
            wrong: Vec::new(),
            block,
            games_a_second: pace.map(|pace| pace.games_a_second),
            seconds_left: pace.map(|pace| pace.left.as_secs()),
        };
        let mut shards: BTreeMap<u64, Vec<&Surveyed>> = BTreeMap::new();
        for piece in pieces {
            shards.entry(piece.piece.shard.index).or_default().push(piece);
            if let Stage::Wrong(problem) = &piece.stage {
                line.wrong.push(format!("{} {problem}", piece.piece.name()));
            }
        }
        for (index, pieces) in shards {
            match how_far(&pieces, block) {
                None => line.finished += 1,
                Some(HowFar::Running) => line.running.push(index),
                Some(HowFar::Stopped) => line.stopped.push(index),
                Some(HowFar::Waiting) => line.waiting.push(index),
                Some(HowFar::Missing) => line.missing.push(index),
                Some(HowFar::Unusable) => line.unusable.push(index),
            }
        }
        line
    }

    /// Whether all were played, running or not.
    pub fn state(&self) -> &'static str {
        let left = [&self.stopped, &self.waiting, &self.missing, &self.unusable];
        let is_whole = left.iter().all(|shards| shards.is_empty());
        match (self.running.is_empty(), is_whole) {
            (false, _) => "running",
            (true, true) => "played, not merged yet",
            (true, false) => "not running",
        }
    }

    /// The same in words.
    ///
    /// # Errors
    ///
    /// Fails where `out` does.
    pub fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
        let waiting = match self.block {
            None => String::new(),
            Some(block) => format!("waiting for the end of block {block}"),
        };
        let lists = [
            ("running", &self.running),
            ("stopped", &self.stopped),
            (&*waiting, &self.waiting),
            ("not begun", &self.missing),
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
            writeln!(out, "{pace:.1} games a second, {left} left at this pace")?;
        }
        Ok(())
    }
}

/// How far a shard is that is not finished.
enum HowFar {
    Running,
    Stopped,
    Waiting,
    Missing,
    Unusable,
}

/// How far the shard is that has these pieces, when this block is the first that is not played; none,
/// if the shard is finished.
fn how_far(pieces: &[&Surveyed], block: Option<u64>) -> Option<HowFar> {
    let has = |wanted: fn(&Stage) -> bool| pieces.iter().any(|piece| wanted(&piece.stage));
    let is_over = |piece: &&Surveyed| matches!(piece.stage, Stage::Over { .. });
    let is_of_block =
        |piece: &&&Surveyed| piece.piece.block.is_some_and(|it| Some(it.number) == block);
    if has(|stage| matches!(stage, Stage::Wrong(_))) {
        Some(HowFar::Unusable)
    } else if has(|stage| matches!(stage, Stage::Begun { is_running: true, .. })) {
        Some(HowFar::Running)
    } else if pieces.iter().all(is_over) {
        None
    } else if !has(|stage| *stage != Stage::Missing) {
        Some(HowFar::Missing)
    } else if pieces.iter().find(is_of_block).is_some_and(is_over) {
        Some(HowFar::Waiting)
    } else {
        Some(HowFar::Stopped)
    }
}
