//! The page of the organiser, with what waits first, then what is wrong, then the rest.

use axum::response::Html;
use jiff::Timestamp;
use maud::{Markup, html};
use serde::Deserialize;
use text::{counted, printable};

use super::action::{OrganiserAction, games};
use super::overview::{
    ForfeitLine, OpenRoundLine, OrganiserOverview, ParticipantLine, ParticipantState, StageLine,
    size,
};
use crate::submissions::pages::{self, PageFrame};
use league::audit::AuditLine;
use league::calendar::{self, Calendar, in_words, length};
use league::submissions::LateSubmission;
use report::html::layout::{PageLocation, scrolled};

/// The most participants on the page; others are searched for.
const PARTICIPANTS: usize = 100;
/// The actions beside the rest.
const FEW: usize = 8;

/// The participants that are asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ParticipantSearch {
    find: String,
    which: String,
}

/// The groups of participants that can be asked for, with their labels.
const GROUPS: [(&str, &str); 4] = [
    ("", "all"),
    ("problem", "with a problem"),
    ("none", "without a bot"),
    ("house", "house bots"),
];

impl ParticipantSearch {
    fn has(&self, it: &ParticipantLine) -> bool {
        let wanted = self.find.trim().to_lowercase();
        let texts = [Some(&it.name), it.person.as_ref(), it.bot.as_ref()];
        let mut texts = texts.into_iter().flatten().chain(&it.members);
        let is_found = wanted.is_empty() || texts.any(|text| text.to_lowercase().contains(&wanted));
        let is_of_group = match self.which.as_str() {
            "problem" => {
                matches!(it.state, ParticipantState::Late | ParticipantState::Disqualified)
            }
            "none" => it.bot.is_none(),
            "house" => !it.may_hand_in,
            _ => true,
        };
        is_found && is_of_group
    }
}

/// The links above the pages of an organiser.
pub(super) fn frame<'a>(title: &'a str, current: &'a str) -> PageFrame<'a> {
    let links = [
        ("Standings", "../"),
        ("Rounds", "../rounds/"),
        ("Live games", "../live/"),
        ("Organiser", "./"),
        ("Audit log", "audit"),
    ];
    let links = links.map(|(title, way)| (title, way.to_owned())).to_vec();
    PageFrame { title, links, current, location: PageLocation::SERVED.below() }
}

impl OrganiserOverview {
    /// The page; forms have this token against forgery.
    pub(super) fn page(&self, search: &ParticipantSearch, form: &str) -> Html<String> {
        let body = html! {
            div.hero {
                div { h1 { "Organiser" } p { (self.title) } }
                div.state { (self.state(form)) }
            }
            div.two {
                div.stack {
                    (section("waiting", html! { "Needs your attention " @if self.waits() > 0 { span.badge.warn { (self.waits()) } } }, self.waiting(form)))
                    (section("problems", html! { "Problems" }, self.problems()))
                    (section("participants", html! { "Participants" }, self.people(search, form)))
                    (section("audit", html! { "Recent actions" }, html! {
                        (actions(self.audit.iter().take(FEW), &self.announced.calendar))
                        p.small { a href="audit" { "All actions" } }
                    }))
                }
                aside.stack {
                    (section("calendar", html! { "Calendar" }, self.dates(form)))
                    (section("queue", html! { "Queue" }, self.queue()))
                    (section("results", html! { "Results" }, self.results()))
                    (section("notices", html! { "Notices" }, self.notices(form)))
                    @if !self.excepted.is_empty() {
                        (section("exceptions", html! { "Exceptions" }, html! {
                            ul.feed { @for it in self.excepted.iter().rev() { li { (it) } } }
                        }))
                    }
                }
            }
        };
        frame("Organiser", "Organiser").page(body)
    }

    fn state(&self, form: &str) -> Markup {
        html! {
            @match (self.is_running, self.is_paused) {
                (_, true) => span.badge.bad { "paused" },
                (true, false) => span.badge.good.now-live { "running" },
                (false, false) => span.badge { "not running" },
            }
            @if let Some(OpenRoundLine { round, playing }) = &self.open {
                span.small {
                    a href={ "../rounds/" (round) "/" } { "round " (round) } ", "
                    a href="../live/" { (games(*playing)) " now" }
                }
            }
            @match self.is_paused {
                true => (button("go-on", "Resume", &[], form)),
                false => (button("pause", "Pause", &[], form)),
            }
            form.one method="post" action="sign-out" { button.btn.low type="submit" { "Sign out" } }
        }
    }

    fn waits(&self) -> usize {
        self.late.len() + usize::from(self.stage_waits.is_some())
    }

    fn waiting(&self, form: &str) -> Markup {
        html! {
            @if self.waits() == 0 { p.quiet { "Nothing needs your attention." } }
            ul.todo {
                @for late in &self.late { (todo(StatusSign::Warning, &late_line(late), html! {
                    a.btn.low.main href={ "accept?name=" (late.participant) } { "Accept…" }
                })) }
                @if let Some(stage) = &self.stage_waits { (todo(StatusSign::Later, &html! {
                    b { (stage) } br; span.quiet.small { "begins after the current round" }
                }, button("cancel-stage", "Cancel", &[], form))) }
            }
        }
    }

    fn problems(&self) -> Markup {
        html! {
            ul.todo {
                @if let Some(problem) = &self.settings_problem { (todo(StatusSign::Wrong, &html! {
                    span role="alert" { b { (printable(problem)) } }
                    br; span.quiet.small { "The last valid settings stay in force, and no submissions are checked." }
                }, html! {})) }
                @if let Some(problem) = &self.stage_failed { (todo(StatusSign::Wrong, &html! {
                    b { "The stage did not begin" } br; span.quiet.small { (printable(problem)) }
                }, html! { a.btn.low href="stage" { "Set up again" } })) }
                @if self.disk.is_nearly_full() { (todo(StatusSign::Wrong, &html! {
                    b { "The disk is nearly full: " (size(self.disk.free)) " free" }
                    br; span.quiet.small { "Below " (size(Some(self.disk.least))) " no submissions are accepted." }
                }, html! {})) }
                @if let Some(machine) = self.machine.as_ref().filter(|machine| machine.is_high()) { (todo(StatusSign::Warning, &html! {
                    b { "The machine is busy: " (format!("load {:.1}", machine.load)) " on " (counted(machine.cores, "core", "cores")) }
                    br; span.quiet.small { "Bots may time out: use fewer workers. Suspect games are replayed." }
                }, html! {})) }
                @for it in &self.forfeits { (self.forfeit(it)) }
                (todo(StatusSign::Good, &html! { span.quiet {
                    "Disk " (size(self.disk.free)) " free · rounds " (size(self.disk.rounds)) " · bots " (size(self.disk.bots))
                    " · submissions " (size(self.disk.submissions))
                    @if let Some(machine) = &self.machine { (format!(" · load {:.1}", machine.load)) }
                } }, html! {}))
            }
        }
    }

    fn forfeit(&self, it: &ForfeitLine) -> Markup {
        let page = self.participants.iter().find(|line| line.name == it.name);
        let page = page.and_then(|line| line.page.as_deref());
        todo(
            StatusSign::Warning,
            &html! { b { (it.bot) } " forfeited " (games(it.games)) " in round " (it.round) },
            html! {
                @if let Some(page) = page { a.btn.low href={ "../" (page) "#faults" } { "Look" } }
                a.btn.low.danger href={ "retire?name=" (it.name) } { "Retire…" }
            },
        )
    }

    fn people(&self, search: &ParticipantSearch, form: &str) -> Markup {
        let found: Vec<&ParticipantLine> =
            self.participants.iter().filter(|it| search.has(it)).collect();
        html! {
            form.find method="get" action="./" role="search" {
                input type="search" name="find" value=(search.find) placeholder="Name, person or bot" aria-label="Find a participant" data-rows="#people tr";
                select name="which" aria-label="Which participants" {
                    @for (value, label) in GROUPS { option value=(value) selected[search.which == value] { (label) } }
                }
                button.btn.low type="submit" { "Find" }
                a.btn.low href="invite" { "Invite…" }
            }
            @if found.is_empty() { p { "No participant by that name." } } @else {
                table.people {
                    caption.hidden { "Participants and bots" }
                    thead { tr {
                        th scope="col" { "name" } th.spare scope="col" { "person" } th.spare scope="col" { "bot" }
                        th scope="col" { "state" } th.num scope="col" { "rank" } th scope="col" { span.hidden { "actions" } }
                    } }
                    tbody id="people" { @for it in found.iter().take(PARTICIPANTS) { (person(it, form)) } }
                }
            }
            p.quiet {
                @match found.len() > PARTICIPANTS {
                    true => { "The first " (PARTICIPANTS) " of " (found.len()) ": search for the others." },
                    false => { (found.len()) " of " (self.participants.len()) },
                }
                @if let Some(left) = self.registrations_left { ". " (counted(left, "person", "people")) " can still register with the code." }
            }
        }
    }

    fn dates(&self, form: &str) -> Markup {
        let now = calendar::now();
        let calendar = &self.announced.calendar;
        let is_frozen = calendar.frozen(now).is_some();
        html! {
            ul.todo {
                @for named in &self.calendar {
                    @let sign = if named.at <= now { StatusSign::Good } else { StatusSign::Later };
                    (todo(sign, &html! {
                        b { (named.label()) } br;
                        span.quiet.small { (short(calendar, named.at)) " " span data-until=(named.at.as_millisecond()) { (in_words(now, named.at)) } }
                    }, html! {
                        @match named.name {
                            "deadline" => a.btn.low href="deadline" { "Move…" },
                            "freeze" if !is_frozen => a.btn.low href="freeze" { "Move…" },
                            "unfreeze" => a.btn.low href="unfreeze" { "Move…" },
                            _ => {}
                        }
                    }))
                }
            }
            @if self.calendar.is_empty() { p.quiet { "No dates yet: set them in the table " code { "calendar" } " of league.toml." } }
            @if let Some(zone) = calendar.time_text(now).split(' ').nth(2) { p.quiet { "Times are in " (zone) "." } }
            @for quiet in calendar.quiet() { p.quiet { "Quiet hours: " (quiet) } }
            div.actions {
                @if !self.calendar.iter().any(|it| it.name == "deadline") { a.btn.low href="deadline" { "Set a deadline…" } }
                @match is_frozen {
                    true => a.btn.low href="unfreeze" { "Unfreeze…" },
                    false => a.btn.low href="freeze" { "Freeze…" },
                }
                a.btn.low href="extend" { "Extend one deadline…" }
            }
            (self.stage(form))
        }
    }

    fn stage(&self, form: &str) -> Markup {
        html! {
            h3 { "Stages" }
            @match &self.stage {
                Some(StageLine { stage, name, state, is_open }) => {
                    p { a href="../stages.html" { "Stage " (stage) " (" (printable(name)) ")" } ": " (state) }
                    @match *is_open {
                        true => p { a.btn.low.danger href="end-stage" { "End early…" } },
                        false => p { a.btn.low href="ceremony" { "Present the results" } },
                    }
                },
                None => p.quiet { "No stage yet: a Swiss system, a knockout or groups." },
            }
            @match (&self.stage_waits, self.stage.as_ref().is_some_and(|it| it.is_open)) {
                (Some(waits), _) => { p { (waits) " waits for the end of the current round." } (button("cancel-stage", "Cancel", &[], form)) },
                (None, false) => p { a.btn.low href="stage" { "Set up…" } },
                (None, true) => {},
            }
        }
    }

    fn results(&self) -> Markup {
        html! {
            @if self.corrected.is_empty() { p.quiet { "No corrections: all games count." } }
            ul.todo.plain { @for (number, told) in &self.corrected { li {
                span { (told) } span.do { a.btn.low href={ "reinstate?number=" (number) } { "Reinstate…" } }
            } } }
            div.actions {
                a.btn.low.danger href="void" { "Make games void…" }
                a.btn.low href="replay" { "Replay games…" }
            }
        }
    }

    fn queue(&self) -> Markup {
        html! {
            @if self.queue.is_empty() { p.quiet { "The queue is empty." } }
            (pages::in_order(self.queue.iter().map(String::as_str), self.checking.len()))
        }
    }

    fn notices(&self, form: &str) -> Markup {
        html! {
            ul.feed { @for notice in &self.notices { li {
                span { (notice.text) }
                span.end { (button("remove-notice", "Remove", &[("number", &notice.number.to_string())], form)) }
            } } }
            form.fields method="post" action="notice" {
                input type="hidden" name="form" value=(form);
                label for="text" { "New notice, shown on every page" }
                textarea id="text" name="text" rows="2" required maxlength="2000" {}
                button.btn type="submit" { "Publish" }
            }
        }
    }
}

fn person(it: &ParticipantLine, form: &str) -> Markup {
    html! {
        tr {
            th scope="row" { (it.name) @if !it.members.is_empty() { span.quiet { " " (it.members.join(", ")) } } }
            td.quiet.spare { (it.person.as_deref().map(printable).unwrap_or_default()) }
            td.spare { (it.bot.as_deref().unwrap_or("–")) }
            td { (participant_state(it)) }
            td.num { @if let Some(rank) = it.rank { (rank) } }
            td.end { details.menu name="menu" {
                summary aria-label={ "Actions for " (it.name) } { "⋯" }
                div {
                    @if let Some(page) = &it.page { a href={ "../" (page) } { "Bot page" } }
                    a href={ "extend?name=" (it.name) } { "Extend the deadline…" }
                    @if it.bot.is_some() { a href={ "choose?name=" (it.name) } { "Choose a version…" } }
                    @if it.may_hand_in || it.page.is_none() {
                        form method="post" action="token" {
                            input type="hidden" name="form" value=(form); input type="hidden" name="name" value=(it.name);
                            button type="submit" { "New token" }
                        }
                    }
                    @if let Some(bot) = &it.bot { a.danger href={ "retire?name=" (it.name) } { "Retire " (bot) "…" } }
                    @if it.page.is_some() && it.state != ParticipantState::Disqualified {
                        a.danger href={ "disqualify?name=" (it.name) } { "Disqualify…" }
                    }
                    @if it.may_hand_in { a.danger href={ "revoke?name=" (it.name) } { "Revoke the token…" } }
                }
            } }
        }
    }
}

fn participant_state(it: &ParticipantLine) -> Markup {
    html! {
        @match it.state {
            ParticipantState::Playing => "plays",
            ParticipantState::Late => span.badge.warn { "late" },
            ParticipantState::NoBot => span.quiet { "no bot" },
            ParticipantState::Retired => span.badge { "retired" },
            ParticipantState::Disqualified => span.badge.bad { "disqualified" },
        }
    }
}

fn late_line(late: &LateSubmission) -> Markup {
    html! {
        b { (late.participant) } " submitted " (length(late.seconds)) " after the deadline" br;
        span.quiet.small { "submission " (late.number) ", stored but not checked" }
    }
}

/// The sign before a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatusSign {
    Good,
    Warning,
    Wrong,
    Later,
}

fn todo(sign: StatusSign, what: &Markup, actions: Markup) -> Markup {
    let (class, letter, said) = match sign {
        StatusSign::Good => ("ico good", "✓", "in order: "),
        StatusSign::Warning => ("ico warn", "!", "attention: "),
        StatusSign::Wrong => ("ico bad", "✕", "wrong: "),
        StatusSign::Later => ("ico", "›", ""),
    };
    html! { li {
        span class=(class) aria-hidden="true" { (letter) }
        span { span.hidden { (said) } (what) }
        span.do { (actions) }
    } }
}

/// A time to the minute, in the zone of the calendar, whose name it leaves out.
fn short(calendar: &Calendar, at: Timestamp) -> String {
    calendar.time_text(at).chars().take("2026-12-20 23:59".len()).collect()
}

fn actions<'a>(lines: impl Iterator<Item = &'a AuditLine>, calendar: &Calendar) -> Markup {
    let mut lines = lines.peekable();
    html! {
        @if lines.peek().is_none() { p.quiet { "No actions yet." } } @else {
            table.audit { tbody { @for it in lines { tr {
                td.quiet { (short(calendar, Timestamp::from_second(it.at).unwrap_or_default())) }
                td { b { (printable(&it.by)) } " " (printable(&it.action)) ": " (printable(&it.what)) }
            } } } }
        }
    }
}

pub(super) fn audit_page(lines: &[AuditLine], calendar: &Calendar) -> Html<String> {
    let table = html! {
        table {
            thead { tr {
                th.word scope="col" { "time" } th.word scope="col" { "by" } th.word scope="col" { "action" }
                th.word scope="col" { "what" }
            } }
            tbody { @for it in lines { tr {
                td.word { (calendar.time_text(Timestamp::from_second(it.at).unwrap_or_default())) }
                td.word { (printable(&it.by)) }
                td.word { (printable(&it.action)) }
                td.word.wide { (printable(&it.what)) }
            } } }
        }
    };
    let body = html! {
        div.hero { div { h1 { "Audit log" } p { "Actions of organisers and participants, latest first. Also available as JSON." } } }
        (section("actions", html! { "Actions" }, html! {
            @if lines.is_empty() { p { "No actions yet." } } @else { (scrolled("Table of actions", table)) }
        }))
    };
    frame("Audit log", "Audit log").page(body)
}

/// The page with the token that an action has drawn, which is shown once.
pub(super) fn token_page(action: OrganiserAction, done: &str, token: &str) -> Html<String> {
    let body = html! {
        div.hero { div { h1 { "New token" } p { (done) } } }
        (section("token", html! { "Copy it now: it is shown only once" }, html! {
            (pages::token(token))
            p {
                @if action == OrganiserAction::Token { "The old token has stopped working. " }
                "Give this one to the participant privately."
            }
            p { a.btn href="./" { "Continue" } }
        }))
    };
    frame("New token", "Organiser").page(body)
}

fn button(action: &str, label: &str, fields: &[(&str, &str)], form: &str) -> Markup {
    html! {
        form.one method="post" action=(action) {
            input type="hidden" name="form" value=(form);
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            button.btn.low type="submit" { (label) }
        }
    }
}

pub(super) fn section(id: &str, title: Markup, body: Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-title" } data-own {
            header { h2 id={ (id) "-title" } { (title) } }
            (body)
        }
    }
}

/// The page for a visitor without the token.
pub(super) fn sign_in() -> Html<String> {
    let body = html! {
        div.hero { div { h1 { "Organiser" } } }
        (section("sign-in", html! { "Sign in" }, html! {
            form.hand-in data-sign method="post" action="sign-in" {
                label for="token" { "Organiser token" }
                input id="token" name="token" type="password" required autocomplete="current-password" spellcheck="false";
                button type="submit" { "Sign in" }
            }
            p.told role="status" {}
            p.quiet { code { "arbiter league organiser DIR" } " creates a token." }
        }))
    };
    frame("Organiser", "Organiser").page(body)
}
