//! How far the shards of a tournament are, in words and as JSON.

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
    missing: Vec<u64>,
    /// What is wrong with a shard, in words.
    wrong: Vec<String>,
    games_a_second: Option<f64>,
    seconds_left: Option<u64>,
}

impl ShardsLine {
    /// The shards in these pieces. One that has several blocks is as far as the piece of it that is
    /// least far.
    pub fn new(pieces: &[Surveyed], pace: Option<Pace>) -> ShardsLine {
        let mut line = ShardsLine {
            finished: 0,
            running: Vec::new(),
            stopped: Vec::new(),
            missing: Vec::new(),
            wrong: Vec::new(),
            games_a_second: pace.map(|pace| pace.games_a_second),
            seconds_left: pace.map(|pace| pace.left.as_secs()),
        };
        let mut indices: Vec<u64> = pieces.iter().map(|piece| piece.piece.shard.index).collect();
        indices.sort_unstable();
        indices.dedup();
        let mut stages = vec![Vec::new(); indices.len()];
        for piece in pieces {
            if let Ok(place) = indices.binary_search(&piece.piece.shard.index) {
                stages[place].push(&piece.stage);
            }
            if let Stage::Wrong(problem) = &piece.stage {
                line.wrong.push(format!("{} {problem}", piece.piece.name()));
            }
        }
        for (index, stages) in indices.into_iter().zip(stages) {
            let is = |wanted: fn(&Stage) -> bool| stages.iter().any(|stage| wanted(stage));
            if is(|stage| matches!(stage, Stage::Wrong(_))) {
                continue;
            }
            if is(|stage| matches!(stage, Stage::Begun { is_running: true, .. })) {
                line.running.push(index);
            } else if stages.iter().all(|stage| **stage == Stage::Missing) {
                line.missing.push(index);
            } else if stages.iter().all(|stage| matches!(stage, Stage::Over { .. })) {
                line.finished += 1;
            } else {
                line.stopped.push(index);
            }
        }
        line
    }

    /// Whether all were played, running or not.
    pub fn state(&self) -> &'static str {
        let is_whole = self.stopped.is_empty() && self.missing.is_empty() && self.wrong.is_empty();
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
        let all = [&self.running, &self.stopped, &self.missing].map(Vec::len);
        let all = self.finished + all.iter().sum::<usize>() + self.wrong.len();
        let (shards, finished) = (counted(all as u64, "shard", "shards"), self.finished);
        writeln!(out, "{shards}: {finished} finished")?;
        let lists =
            [("running", &self.running), ("stopped", &self.stopped), ("not begun", &self.missing)];
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
