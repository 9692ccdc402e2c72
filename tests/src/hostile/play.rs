//! Matches of the hostile bot, and what it says of them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::keeping::Keeping;
use crate::{log, processes};

use super::field::Field;
use super::table::{ATTACKS, CHANNELS};

/// The bots' reports on each attack: true if it had what it wanted, and the whole line.
type HostileReports = BTreeMap<String, (bool, String)>;

/// Plays a game of a bot that tries every attack.
pub fn attacks(keeping: Keeping) {
    let field = Field::new(keeping);
    if !keeping.can_be_had(&field.bench) {
        return;
    }
    field.play("1", [field.hostile_folder(), field.harmless()]);
    let said = hostile_reports(&field.bench.path("log"));
    let wanted = ATTACKS.iter().map(|attack| (attack.name.to_owned(), attack.wanted(keeping)));
    let wrong: Vec<String> = wanted
        .filter_map(|(name, wanted)| {
            let (is_got, line) = said.get(&name).expect("every attack is spoken of");
            (!wanted.allows(*is_got)).then(|| format!("{line}, expected {wanted:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{keeping}: {wrong:#?}");
    field.check_effects(&|name| said[name].0);
    field.assert_nothing_left();
}

/// Plays two games of bots that try to talk and to remember.
pub fn channels(keeping: Keeping) {
    let field = Field::new(keeping);
    if !keeping.can_be_had(&field.bench) {
        return;
    }
    field.play("2", [field.hostile("first"), field.hostile("second")]);
    let said = hostile_reports(&field.bench.path("log"));
    let mut wrong = Vec::new();
    for channel in CHANNELS {
        for (name, wanted) in channel.names().iter().zip(channel.wanted(keeping)) {
            let (is_got, line) = said.get(name).expect("every channel is spoken of");
            if !wanted.allows(*is_got) {
                let sent = &said[&format!("send-{}", channel.name)].1;
                wrong.push(format!("{line}, expected {wanted:?} ({sent})"));
            }
        }
    }
    if keeping == Keeping::Portable {
        // There, a process that has left its group is not ended.
        processes::kill(field.bench.marker());
    }
    assert!(wrong.is_empty(), "{keeping}: {wrong:#?}");
    field.assert_nothing_left();
}

/// All that hostile bots have said in a log. What one of them got counts.
fn hostile_reports(log: &Path) -> HostileReports {
    let mut said = HostileReports::new();
    for game in log::games(log) {
        for measured in game["measured"].as_array().expect("a game is measured") {
            let text = measured["stderr"].as_str().unwrap_or_default().replace("\\n", "\n");
            for line in text.lines().filter(|line| !line.is_empty()) {
                let (name, rest) = line.split_once(' ').expect("a name and what came of it");
                let is_got = rest == "got";
                assert!(is_got || rest.starts_with("refused: "), "{line}");
                println!("{line}");
                let entry = said.entry(name.to_owned()).or_insert((is_got, line.to_owned()));
                if is_got {
                    *entry = (true, line.to_owned());
                }
            }
        }
    }
    said
}
