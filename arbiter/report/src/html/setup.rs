//! The setup of the games, and the commands that check them.

use maud::{Markup, html};
use rules::custom::RulesId;
use rules::{Dialect, GameKind};
use text::printable;

use crate::html::frame::bot_link;
use crate::reading::{SourceReport, SourceState};
use series::{Answering, IsolationLine, KeptFiles, PlayerLine};
use standings::pairing::tie_break;
use text::counted;
use text::shell::without_folders;
use text::shell::word;

/// The plan and the players.
pub(super) fn setup(reading: &SourceReport) -> Markup {
    let header = reading.series.header();
    html! {
        dl.facts {
            dt { "game" } dd { (header.game) " " code { (header.options) } }
            (rules_line(reading.series.kind()))
            dt { "games" } dd { (header.games) }
            dt { "retries" } dd { (header.retries) }
            @if let Some(missing) = header.isolation.as_ref().and_then(IsolationLine::missing) {
                dt { "isolation" } dd { (missing) }
            }
            @if header.answering == Answering::InProcess {
                dt { "answered" } dd { "by built-in bots in one process, without limits or timings" }
            }
            @if let Some(line) = &header.tournament {
                dt { "schedule" } dd {
                    (line.schedule.format.name()) ", " (counted(line.schedule.deals, "deal", "deals"))
                    @if let Some(tables) = line.schedule.tables { ", " (tables) " tables each" }
                    @if !line.schedule.listed.is_empty() { ", " (counted(line.schedule.listed.len(), "table", "tables")) " each" }
                    @if let Some(shard) = &line.schedule.shard { ", shard " (shard) }
                }
                dt { "disqualification threshold" } dd {
                    @match line.disqualify_after { Some(share) => { "faults in more than " (share) " of games" }, None => "none" }
                }
                @if let Some(sprt) = &line.sprt { dt { "test" } dd { code { (sprt) } } }
                @if !line.tie_breaks.is_empty() {
                    dt { "ranks" } dd { (tie_break::in_words(&line.tie_breaks)) }
                }
                @if line.keep_files == KeptFiles::OfRun {
                    dt { "files" } dd { "classic-dialect bots kept their files between games" }
                }
            }
        }
        h3 { @if header.players.iter().any(PlayerLine::is_person) { "Players" } @else { "Bots" } }
        ul.bots { @for player in &header.players { li {
            (bot_link(reading, &player.name, "bots/")) " "
            @if player.is_person() { "person" } @else { code { (printable(&without_folders(&player.command))) } }
        } } }
        @if let Some(plan) = &reading.plan {
            details { summary { "Plan (without the seed)" } pre { (without_folders(plan)) } }
        }
    }
}

/// A row of facts, for a game whose rules are not compiled in; it says if they are missing.
pub(crate) fn rules_line(kind: &GameKind) -> Markup {
    html! {
        @if let Some(id) = kind.rules_id() {
            dt { "rules" }
            dd {
                (rules_in_words(id))
                @if kind.is_absent() { "; missing: no folder " code { "game" } " beside the log" }
            }
        }
    }
}

/// The carrier of rules, and their digest.
pub fn rules_in_words(id: RulesId) -> Markup {
    html! { "a " (id.carrier) ", digest " code.hash { (id.digest) } }
}

/// The commitment, the seed, the head, and the commands.
pub(super) fn verify(reading: &SourceReport) -> Markup {
    html! {
        p { "The seed commitment was published before the first deal. "
            "The head identifies the complete log: compare it with the published value." }
        dl.facts {
            dt { "commitment" } dd { code.hash { (reading.series.header().commitment) } }
            dt { "seed" } dd { @match &reading.state {
                SourceState::Over { seed: Some(seed) } => code.hash { (seed) },
                SourceState::Over { seed: None } => "shard: not revealed",
                SourceState::Continued => "revealed at the end of the last part",
                SourceState::Left { .. } => "not revealed (unfinished)",
                SourceState::Running | SourceState::Reading | SourceState::Unfinished => "revealed at the end",
            } }
            @for text in &reading.series.header().entropy {
                dt { "entropy" } dd { code { (printable(text)) } }
            }
            dt { "head" } dd { @match reading.head {
                Some(head) => code.hash { (head) },
                None => "per shard until merged",
            } }
        }
        p {
            "These commands recompute everything"
            @if reading.is_over() { " and, with the head, prove that the log is unmodified:" }
            @else { " (the first reports the log as unfinished):" }
        }
        pre.commands { @for command in commands(reading) { span { (command) "\n" } } }
    }
}

/// Commands for the log.
fn commands(reading: &SourceReport) -> Vec<String> {
    let path = word(&reading.path);
    let mut commands = vec![match reading.head {
        Some(_) => format!("arbiter verify {path}"),
        None => format!("arbiter tournament merge {path} --verify"),
    }];
    if let Some(head) = reading.head.filter(|_| reading.is_over()) {
        commands.push(format!("arbiter verify --head {head} {path}"));
    }
    commands.push(match reading.plan {
        Some(_) => format!("arbiter tournament standings {path}"),
        None => format!("arbiter show {path} --game 0"),
    });
    commands
}

/// The program of one bot: its command, its files, its limits.
pub(super) fn player(player: &PlayerLine) -> Markup {
    let PlayerLine { command, files, dialect, mode, limits, granted, .. } = player;
    html! {
        dl.facts {
            @if player.is_person() { dt { "player" } dd { "person" } }
            @else { dt { "command" } dd { code { (printable(&without_folders(command))) } } }
            @if *dialect != Dialect::Native { dt { "dialect" } dd { (dialect.name()) } }
            @if !mode.is_usual() { dt { "mode" } dd { (mode.name()) } }
            @for file in files {
                dt { "file" }
                dd { code { (printable(&without_folders(&file.word))) } br; code.hash { (file.sha256) } }
            }
            dt { "limits" } dd { (limits.in_words()) }
            @for path in &granted.read { dt { "granted" } dd { "read access to " code { (printable(&without_folders(path))) } } }
            @for path in &granted.device { dt { "granted" } dd { "device " code { (printable(path)) } } }
            @if granted.network { dt { "granted" } dd { "network" } }
        }
    }
}
