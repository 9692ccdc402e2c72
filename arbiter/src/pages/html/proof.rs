//! How the games were set up, and how anybody can check them.

use maud::{Markup, html};
use rules::Dialect;
use rules::text::printable;

use crate::log::{LimitsLine, PlayerLine};
use crate::pages::html::bot;
use crate::pages::reading::{Reading, State};
use crate::tournament::folder::shown;

/// The plan, and who played.
pub(super) fn setup(reading: &Reading) -> Markup {
    let header = reading.series.header();
    html! {
        dl.facts {
            dt { "game" } dd { (header.game) " " code { (header.options) } }
            dt { "games" } dd { (header.games) }
            dt { "second chances" } dd { (header.retries) }
            @if let Some(line) = &header.tournament {
                dt { "schedule" } dd {
                    (line.schedule.format.name()) ", " (line.schedule.deals) " deals"
                    @if let Some(tables) = line.schedule.tables { ", " (tables) " tables each" }
                    @if let Some(shard) = &line.schedule.shard { ", shard " (shard) }
                }
                dt { "disqualified after faults in" } dd {
                    @match line.disqualify_after { Some(share) => (share), None => "any number" } " of games"
                }
                @if let Some(sprt) = &line.sprt { dt { "test" } dd { code { (sprt) } } }
            }
        }
        h3 { "Bots" }
        ul.bots { @for player in &header.players { li {
            (bot::link(reading, &player.name, "bots/")) " " code { (printable(&player.command)) }
        } } }
        @if let Some(plan) = &reading.plan {
            details { summary { "The plan, without its seed" } pre { (plan) } }
        }
    }
}

/// The commitment, the seed, the head, and the commands.
pub(super) fn verify(reading: &Reading) -> Markup {
    let path = quoted(&shown(&reading.path));
    let is_tournament = reading.plan.is_some();
    html! {
        p { "The commitment was published before the first card. The head stands for the whole log: "
            "whoever has noted it can tell whether this is the same one." }
        dl.facts {
            dt { "commitment" } dd { code.hash { (reading.series.header().commitment) } }
            dt { "seed" } dd { @match &reading.state {
                State::Over { seed: Some(seed) } => code.hash { (seed) },
                State::Over { seed: None } => "of a shard, not revealed",
                State::Running | State::Unfinished => "not revealed before the end",
            } }
            @for text in &reading.series.header().entropy {
                dt { "mixed in" } dd { code { (printable(text)) } }
            }
            dt { "head" } dd { code.hash { (reading.head) } }
        }
        p { "These commands derive all of it again:" }
        pre.commands {
            "arbiter verify " (path) "\n"
            @if is_tournament { "arbiter tournament standings " (path) "\n" }
            @else { "arbiter show " (path) " --game 0\n" }
        }
    }
}

/// A path as a word for a shell, where it is not one already.
fn quoted(path: &str) -> String {
    shlex::try_quote(path).map_or_else(|_| path.to_owned(), |word| word.into_owned())
}

/// What one bot was: its command, its files, its limits.
pub(super) fn player(player: &PlayerLine) -> Markup {
    let PlayerLine { command, files, dialect, limits, .. } = player;
    html! {
        dl.facts {
            dt { "command" } dd { code { (printable(command)) } }
            @if *dialect != Dialect::Native { dt { "dialect" } dd { (dialect.name()) } }
            @for file in files {
                dt { "file" }
                dd { code { (printable(&file.word)) } br; code.hash { (file.sha256) } }
            }
            dt { "limits" } dd { (told(limits)) }
        }
    }
}

fn told(limits: &LimitsLine) -> String {
    let size = |bytes| bytesize::ByteSize(bytes).to_string();
    let mut told = vec![format!("{} ms", limits.time_ms)];
    told.extend(limits.cpu_ms.map(|ms| format!("{ms} ms of CPU time")));
    told.push(format!("{} of memory", size(limits.memory_bytes)));
    told.push(format!("{} processes", limits.processes));
    told.push(format!("{} of output", size(limits.answer_bytes)));
    told.join(", ")
}
