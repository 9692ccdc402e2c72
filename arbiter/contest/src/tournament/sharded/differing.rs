//! The difference between the log of a shard and its plan, in words.

use sandbox::{LIMITS, LimitKind};
use series::schedule::ScheduleLine;
use series::{Granted, Header, PlayerLine};

/// Returns the first difference of a log from the expected one, as the end of a sentence: "it has …".
/// Ignores properties that may differ between machines, such as the paths of a bot's files.
pub fn difference(expected: &Header, found: &Header) -> Option<String> {
    let other = |what: &str| Some(format!("another {what}"));
    let (line, other_line) = (expected.tournament.as_ref()?, found.tournament.as_ref());
    let Some(other_line) = other_line else { return Some("no tournament".to_owned()) };
    if expected.game != found.game || expected.options != found.options {
        return Some(format!(
            "game `{} {}`, expected `{} {}`",
            found.game, found.options, expected.game, expected.options
        ));
    }
    if expected.commitment != found.commitment || expected.entropy != found.entropy {
        return other("seed");
    }
    let (schedule, of_found) = (&line.schedule, &other_line.schedule);
    let numbers = [
        ("deals", Some(schedule.deals), Some(of_found.deals)),
        ("tables", schedule.tables, of_found.tables),
        ("shards", schedule.shard.map(|it| it.of), of_found.shard.map(|it| it.of)),
        ("deals in a block", schedule.block.map(|it| it.deals), of_found.block.map(|it| it.deals)),
    ];
    for (what, expected, found) in numbers {
        let said = |number: Option<u64>| number.map_or("none".to_owned(), |it| it.to_string());
        if expected != found {
            return Some(format!("{} {what}, expected {}", said(found), said(expected)));
        }
    }
    if schedule.shard != of_found.shard || schedule.block != of_found.block {
        let said = |line: &ScheduleLine| {
            let shard = line.shard.map_or("no shard".to_owned(), |it| format!("shard {it}"));
            line.block.map_or(shard.clone(), |it| format!("{shard} of block {}", it.number))
        };
        return Some(format!("{}, expected {}", said(of_found), said(schedule)));
    }
    let same = [
        ("format", schedule.format == of_found.format),
        ("choice of orders", schedule.orders == of_found.orders),
        ("list of tables", schedule.listed == of_found.listed),
        ("first deal", schedule == of_found),
        ("round of a league", line.league == other_line.league),
        (
            "share of faults for disqualification",
            line.disqualify_after == other_line.disqualify_after,
        ),
        ("sequential test", line.sprt == other_line.sprt),
        ("list of tie-breaks", line.tie_breaks == other_line.tie_breaks),
        ("keeping of files", line.keep_files == other_line.keep_files),
        ("beginning", line.extends == other_line.extends),
        ("decision of the earlier blocks", line.decided == other_line.decided),
        ("number of retries", expected.retries == found.retries),
        ("choice of replaying suspect games", expected.suspect_games == found.suspect_games),
        ("choice of pondering", expected.ponder == found.ponder),
    ];
    if let Some((what, _)) = same.iter().find(|(_, same)| !same) {
        return other(what);
    }
    if expected.version != found.version {
        return Some(format!(
            "version {} of arbiter, expected {}",
            found.version, expected.version
        ));
    }
    bots(&expected.players, &found.players)
}

/// Returns the first difference between bots.
pub fn bots(expected: &[PlayerLine], found: &[PlayerLine]) -> Option<String> {
    if expected.len() != found.len() {
        return Some(format!("{} bots, expected {}", found.len(), expected.len()));
    }
    expected.iter().zip(found).find_map(|(expected, found)| bot(expected, found))
}

fn bot(expected: &PlayerLine, found: &PlayerLine) -> Option<String> {
    let name = &expected.name;
    if *name != found.name {
        return Some(format!("bot `{}`, expected `{name}`", found.name));
    }
    for place in 0..expected.files.len().max(found.files.len()) {
        let digest = |player: &PlayerLine| player.files.get(place).map(|file| file.sha256);
        let (one, other) = (digest(expected), digest(found));
        if one != other {
            let word = expected.files.get(place).or(found.files.get(place));
            let word = word.map_or("", |file| file.word.as_str());
            let said =
                |it: Option<_>| it.map_or("none".to_owned(), |it: rules::Digest| it.to_string());
            return Some(format!(
                "bot `{name}` with another `{}`: its digest is {}, expected {}",
                text::printable(word),
                said(other),
                said(one)
            ));
        }
    }
    if expected.dialect != found.dialect || expected.mode != found.mode {
        return Some(format!("bot `{name}` in another dialect or mode"));
    }
    let differs = |kind: &&LimitKind| kind.amount(&expected.limits) != kind.amount(&found.limits);
    if let Some(limit) = LIMITS.iter().find(differs) {
        return Some(format!("bot `{name}` with another {}", limit.name));
    }
    match Granted::is_same_elsewhere(&expected.granted, &found.granted) {
        true => None,
        false => Some(format!("bot `{name}` with other grants")),
    }
}
