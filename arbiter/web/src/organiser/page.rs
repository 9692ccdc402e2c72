//! What the organiser of a league sees.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::thread::available_parallelism;

use axum::response::Html;
use bytesize::ByteSize;
use jiff::Timestamp;
use maud::{Markup, html};
use serde::Serialize;
use serde_json::{Value, json};
use text::shell::without_folders;
use text::{counted, printable};

use crate::sizes::SizeCache;
use crate::submissions::pages;
use crate::submissions::state::announced;
use contest::tournament::playing_now;
use league::audit::{self, AuditLine};
use league::calendar::{Named, length};
use league::entry::queue::SubmissionQueue;
use league::keys::LeagueKeys;
use league::notices::{self, Notice};
use league::participants::Participants;
use league::{disk_budget, pause};
use report::html::layout::{PageLocation, scrolled};
use text::failure::Failure;

use report::league::announcements::Announcements;

/// The most actions of organisers that are listed.
const ACTIONS: usize = 100;

/// What the organiser sees, as it was read.
#[derive(Debug, Serialize)]
pub(super) struct OrganiserOverview {
    is_running: bool,
    is_paused: bool,
    /// The open round, and the number of games that are being played.
    open: Option<OpenRoundLine>,
    calendar: Vec<Named>,
    notices: Vec<Notice>,
    /// Participants whose submissions are being checked or wait, in the order of the queue.
    queue: Vec<String>,
    /// Those of them whose submissions are being checked, the first ones in the queue.
    checking: Vec<String>,
    late: Vec<LateSubmissionLine>,
    /// Participants who are treated differently, and why.
    exceptions: Vec<Value>,
    /// The same in words.
    #[serde(skip)]
    excepted: Vec<String>,
    participants: Vec<ParticipantLine>,
    disk: DiskUse,
    /// How busy the machine is, where the system tells.
    machine: Option<MachineLoad>,
    /// Number of people who may register by the code, if there is one.
    registrations_left: Option<u64>,
    /// The last actions of organisers, the newest first.
    audit: Vec<AuditLine>,
    /// The mistake in the settings, if there is one.
    settings_problem: Option<String>,
    #[serde(skip)]
    announced: Announcements,
}

#[derive(Debug, Serialize)]
struct OpenRoundLine {
    round: u64,
    playing: usize,
}

#[derive(Debug, Serialize)]
struct LateSubmissionLine {
    participant: String,
    number: u64,
    seconds: u64,
}

#[derive(Debug, Serialize)]
struct ParticipantLine {
    name: String,
    person: Option<String>,
    members: Vec<String>,
    may_hand_in: bool,
    /// The newest version of the bot, if it plays.
    bot: Option<String>,
}

/// How busy the machine is.
#[derive(Debug, Serialize)]
struct MachineLoad {
    /// Programs that ran or waited for a processor, the mean over a minute.
    load: f64,
    cores: usize,
}

impl MachineLoad {
    fn read() -> Option<MachineLoad> {
        let text = fs::read_to_string("/proc/loadavg").ok()?;
        let load = text.split(' ').next()?.parse().ok()?;
        Some(MachineLoad { load, cores: available_parallelism().ok()?.get() })
    }

    /// Returns true if more programs want to run than the machine has cores.
    fn is_high(&self) -> bool {
        self.load > self.cores as f64
    }
}

/// Sizes in bytes; none where they are not known.
#[derive(Debug, Serialize)]
struct DiskUse {
    free: Option<u64>,
    rounds: Option<u64>,
    bots: Option<u64>,
    submissions: Option<u64>,
}

impl OrganiserOverview {
    /// Reads it. What many files tell is read once, and from then on where something has changed.
    pub(super) fn read(
        submissions: &SubmissionQueue,
        sizes: &SizeCache,
    ) -> Result<OrganiserOverview, Failure> {
        let folder = submissions.folder();
        let league = folder.read()?;
        let ours = |error: io::Error| Failure::Ours(text::system_error(error));
        let settings_problem = match submissions.terms() {
            Ok((_, mistake)) => mistake,
            Err(mistake) => Some(mistake),
        };
        let settings_problem = settings_problem.map(|it| without_folders(&it.to_string()));
        let announced = announced(submissions).unfrozen();
        let open = league.open_round().map(|round| {
            let number = round.line.round;
            let playing = playing_now::read(&folder.round(number)).map_or(0, |games| games.len());
            OpenRoundLine { round: number, playing }
        });
        let late = submissions.late().map_err(ours)?;
        let late = late.iter().map(|it| LateSubmissionLine {
            participant: it.participant.clone(),
            number: it.number,
            seconds: it.seconds,
        });
        let playing = league.active().map(|(_, member)| &member.entry.bot);
        let playing: BTreeMap<&str, String> =
            playing.map(|bot| (bot.bot.as_str(), bot.to_string())).collect();
        let participants = Participants::read(folder)?;
        let mut people: Vec<ParticipantLine> = participants
            .all()
            .map(|(name, participant)| ParticipantLine {
                name: name.to_owned(),
                person: participant.person.clone(),
                members: participant.members().map(str::to_owned).collect(),
                may_hand_in: participant.may_hand_in(),
                bot: playing.get(name).cloned(),
            })
            .collect();
        // Further bots of a participant and bots of the organiser's own can leave as well.
        for (_, member) in league.active() {
            let name = &member.entry.bot.bot;
            if participants.owner(name) != Some(name) {
                let bot = Some(member.entry.bot.to_string());
                let person = participants.of_bot(name).and_then(|it| it.person.clone());
                let (members, may_hand_in) = (Vec::new(), false);
                people.push(ParticipantLine {
                    name: name.clone(),
                    person,
                    members,
                    may_hand_in,
                    bot,
                });
            }
        }
        let (_, undecided) = submissions.seen().map_err(ours)?;
        let sizes = sizes.sizes_of(folder);
        let exceptions = league.exceptions();
        Ok(OrganiserOverview {
            is_running: folder.is_running(),
            is_paused: pause::is_paused(folder),
            open,
            calendar: announced.calendar.times(),
            notices: notices::list(folder)?,
            queue: undecided.all().map(|it| it.participant.clone()).collect(),
            checking: undecided.checking.iter().map(|it| it.participant.clone()).collect(),
            late: late.collect(),
            exceptions: exceptions.views().map(|view| json!(view)).collect(),
            excepted: exceptions.all().iter().map(|it| it.in_words(&announced.calendar)).collect(),
            participants: people,
            disk: DiskUse {
                free: disk_budget::free(folder.path()).map_err(ours)?,
                rounds: sizes.rounds,
                bots: sizes.bots,
                submissions: sizes.submissions,
            },
            machine: MachineLoad::read(),
            registrations_left: LeagueKeys::read(folder)?.registrations_left(),
            audit: audit::latest(folder, ACTIONS).map_err(ours)?,
            settings_problem,
            announced,
        })
    }

    pub(super) fn page(&self) -> Html<String> {
        let body = html! {
            header.top.slim data-own { div.wrap {
                p.crumbs { a href="../" { "League" } }
                h1 { "Organiser" }
            } }
            main.wrap id="main" {
                (section("state", "Status", self.state()))
                (section("notices", "Notices", self.notices()))
                (section("waiting", "Queue", self.waiting()))
                (section("exceptions", "Exceptions", self.exceptions()))
                (section("participants", "Participants and bots", self.people()))
                (section("audit", "Actions of organisers", self.actions()))
            }
        };
        pages::page("organiser", PageLocation::SERVED.below(), body)
    }

    fn state(&self) -> Markup {
        let size = |bytes: Option<u64>| {
            bytes.map_or("unknown".to_owned(), |bytes| ByteSize(bytes).display().iec().to_string())
        };
        html! {
            @if let Some(problem) = &self.settings_problem {
                p.notice role="alert" {
                    (printable(problem)) ". The last valid settings stay in force, and no submissions are checked."
                }
            }
            p {
                @match (self.is_running, self.is_paused) {
                    (_, true) => span.badge.bad { "paused" },
                    (true, false) => span.badge.good { "running" },
                    (false, false) => span.badge { "not running" },
                }
                @if let Some(OpenRoundLine { round, playing }) = &self.open {
                    " round " (round) ", " a href="../live/" { (counted(*playing, "game", "games")) " running" }
                }
            }
            (self.announced.times().unwrap_or_default())
            dl.facts {
                dt { "Free disk space" } dd { (size(self.disk.free)) }
                dt { "Rounds" } dd { (size(self.disk.rounds)) }
                dt { "Bots" } dd { (size(self.disk.bots)) }
                dt { "Submissions" } dd { (size(self.disk.submissions)) }
                @if let Some(machine) = &self.machine {
                    dt { "Load of the machine" }
                    dd {
                        (format!("{:.1} on {}", machine.load, counted(machine.cores, "core", "cores")))
                        @if machine.is_high() { " " span.badge.warn { "busy: bots may time out, use fewer workers" } }
                    }
                }
                @if let Some(left) = self.registrations_left { dt { "Registrations left" } dd { (left) } }
            }
            div.actions {
                @match self.is_paused {
                    true => (button("go-on", "Resume", &[])),
                    false => (button("pause", "Pause", &[])),
                }
                form data-sign method="post" action="sign-out" { button type="submit" { "Sign out" } }
            }
            p.told role="status" {}
        }
    }

    fn notices(&self) -> Markup {
        html! {
            @for notice in &self.notices {
                div.actions {
                    p { (notice.text) }
                    (button("remove-notice", "Remove", &[("number", &notice.number.to_string())]))
                }
            }
            form.hand-in data-sign method="post" action="notice" {
                label for="text" { "New notice, shown on every page" }
                input id="text" name="text" required maxlength="2000" autocomplete="off";
                button type="submit" { "Publish" }
            }
            p.told role="status" {}
        }
    }

    fn waiting(&self) -> Markup {
        html! {
            @if self.queue.is_empty() { p { "The queue is empty." } }
            (pages::in_order(self.queue.iter().map(String::as_str), self.checking.len()))
            @for late in &self.late {
                div.actions {
                    p { (late.participant) ", submission " (late.number) ": " (length(late.seconds)) " late" }
                    form.one data-sign method="post" action="accept" {
                        input type="hidden" name="name" value=(late.participant);
                        input name="reason" aria-label="Reason" placeholder="reason" maxlength="500" autocomplete="off";
                        button type="submit" { "Accept" }
                    }
                }
            }
            p.told role="status" {}
        }
    }

    /// Participants who are treated differently, and the form for a later deadline.
    fn exceptions(&self) -> Markup {
        html! {
            @for exception in &self.excepted { p { (exception) } }
            form.hand-in data-sign method="post" action="extend" {
                label for="extend" { "Later deadline of one participant, with a reason, which the pages show" }
                input id="extend" name="name" required autocomplete="off" aria-label="Name" placeholder="name";
                input name="until" required autocomplete="off" aria-label="Until" placeholder="2026-12-22T23:59:59";
                input name="reason" required maxlength="500" autocomplete="off" aria-label="Reason" placeholder="reason";
                button type="submit" { "Extend" }
            }
            p.told role="status" {}
        }
    }

    /// What organisers have done, the last one first.
    fn actions(&self) -> Markup {
        let table = html! {
            table {
                thead { tr {
                    th.word scope="col" { "time" } th.word scope="col" { "by" } th.word scope="col" { "action" }
                    th.word scope="col" { "what" }
                } }
                tbody { @for it in &self.audit { tr {
                    td.word { (self.announced.calendar.shown(Timestamp::from_second(it.at).unwrap_or_default())) }
                    td.word { (printable(&it.by)) }
                    td.word { (printable(&it.action)) }
                    td.word.wide { (printable(&it.what)) }
                } } }
            }
        };
        html! {
            @if self.audit.is_empty() { p { "No actions yet." } }
            @else { (scrolled("Actions of organisers", table)) }
        }
    }

    fn people(&self) -> Markup {
        let table = html! {
            table {
                thead { tr {
                    th.word scope="col" { "name" } th.word scope="col" { "real name" } th.word scope="col" { "members" }
                    th.word scope="col" { "token" } th.word scope="col" { "bot" }
                } }
                tbody { @for it in &self.participants { tr {
                    th.word scope="row" { (it.name) }
                    td.word.wide { (it.person.as_deref().map(printable).unwrap_or_default()) }
                    td.word.wide { (it.members.join(", ")) }
                    td.word {
                        @if it.may_hand_in { (button("revoke", "Revoke", &[("name", &it.name)])) } @else { "none" }
                    }
                    td.word {
                        @if let Some(bot) = &it.bot { (bot) " " (button("retire", "Retire", &[("name", &it.name)])) }
                    }
                } } }
            }
        };
        html! {
            p.told role="status" {}
            (scrolled("Participants and bots", table))
        }
    }
}

/// A form of one button.
fn button(action: &str, label: &str, fields: &[(&str, &str)]) -> Markup {
    html! {
        form.one data-sign data-confirm=[question(action, fields)] method="post" action=(action) {
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            button type="submit" { (label) }
        }
    }
}

/// The question before an action that no other button takes back.
fn question(action: &str, fields: &[(&str, &str)]) -> Option<String> {
    let name = fields.first().map_or("", |(_, value)| value);
    match action {
        "revoke" => Some(format!("Revoke the token of {name}?")),
        "retire" => Some(format!("Retire {name}?")),
        _ => None,
    }
}

fn section(id: &str, title: &str, body: Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-title" } data-own {
            h2 id={ (id) "-title" } { (title) }
            (body)
        }
    }
}

/// The page for a visitor without the token.
pub(super) fn sign_in() -> Html<String> {
    let body = html! {
        header.top.slim data-own { div.wrap {
            p.crumbs { a href="../" { "League" } }
            h1 { "Organiser" }
        } }
        main.wrap id="main" {
            (section("sign-in", "Sign in", html! {
                form.hand-in data-sign method="post" action="sign-in" {
                    label for="token" { "Organiser token" }
                    input id="token" name="token" type="password" required autocomplete="current-password" spellcheck="false";
                    button type="submit" { "Sign in" }
                }
                p.told role="status" {}
                p.quiet { code { "arbiter league organiser DIR" } " creates a token." }
            }))
        }
    };
    pages::page("organiser", PageLocation::SERVED.below(), body)
}
