//! The state of a tournament, whole or in shards.

use std::path::Path;

use crate::playing::count;
use crate::playing::state::State;
use crate::tournament::parts::Parts;
use crate::tournament::plan_file::Reader;
use crate::tournament::read::{PartLog, Unreadable, in_shards, plan, read_log, series, tally};
use crate::tournament::sharded::survey;

/// Returns the state of the tournament in a folder; its standings include the games of earlier parts. The logs are
/// read, not verified; an incomplete last line is ignored.
pub fn read(path: &Path) -> Result<State, Unreadable> {
    if let Some((whole, sharding)) = in_shards(path)? {
        return survey::state(path, &whole, sharding);
    }
    let parts = Parts::begun(path);
    plan(parts.last(), Reader::Looks)?;
    let mut tally = tally(&series(parts.last())?, &Parts::before(parts.last()))?;
    let PartLog { games, .. } =
        read_log(parts.last(), &mut |series, game| count::add(&mut tally, series, game))?;
    Ok(State::of_part(games, tally))
}
