//! The site: one league or tournament, or a folder of them, each below its name, with a first page: games to play, what is
//! played here, and how to write a bot.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Path as AtPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Router, middleware};
use jiff::Timestamp;
use maud::{Markup, html};

use crate::api::cors;
use crate::league::ServedLeague;
use crate::live::LiveGames;
use crate::open_sources::{OpenSources, SourceState};
use crate::options::ServeOptions;
use crate::page::{self, encoded};
use crate::people::{FOLDER as LOGS, PlayFolder, TableOffer, table_offer};
use crate::submissions::state::SubmissionService;
use crate::tournament::ServedTournament;
use crate::{api, assets, embedding, live, log_page, organiser, people, remote, submissions};
use contest::tournament::folder::{holds_plan, shown};
use league::folder::LeagueFolder;
use league::log::LogStamp;
use report::html::layout::{BarLink, Page, PageLocation, site_bar};
use report::league::reading::{Announcements, SCRIPT};
use text::failure::Failure;
use text::terminal::say;
use text::{counted, system_error};

/// The most sources that are listed of a folder.
const MOST: usize = 1_000;

#[derive(Debug)]
pub(super) struct Site {
    folder: PathBuf,
    /// True if it holds folders with leagues and tournaments, false if it is one itself.
    has_several: bool,
    options: ServeOptions,
}

/// A folder whose sources are found as they come.
#[derive(Debug)]
struct SourceFolder {
    folder: PathBuf,
    options: ServeOptions,
    open: OpenSources,
    summaries: LeagueSummaries,
}

/// The names of pages that a site of several sources has itself: a source with one of these names is not
/// served.
const OWN: [&str; 3] = ["api", "assets", "play"];

impl Site {
    /// Opens a site, unless there is nothing to serve.
    pub(super) fn open(folder: &Path, options: ServeOptions) -> Result<Site, Failure> {
        if is_source(folder) {
            return Ok(Site { folder: folder.to_owned(), has_several: false, options });
        }
        let path = shown(folder);
        let found = names(folder).map_err(|error| {
            Failure::Usage(format!("cannot serve `{path}`: {}", system_error(error)))
        })?;
        let takes_bots = options.submissions.is_some();
        if found.is_empty() && (takes_bots || options.people.occupancy().1 == 0) {
            return Err(Failure::Usage(format!(
                "no league or tournament in `{path}`: name one, or a folder of several"
            )));
        }
        Ok(Site { folder: folder.to_owned(), has_several: true, options })
    }

    pub(super) fn title(&self) -> String {
        let path = shown(&self.folder);
        let is_empty = || names(&self.folder).is_ok_and(|names| names.is_empty());
        match self.has_several && is_empty() {
            true => format!("games against built-in bots (logs in {path}/{LOGS}),"),
            false => path,
        }
    }

    pub(super) fn routes(&self) -> Result<Router, Failure> {
        if !self.has_several {
            return routes(&self.folder, &self.options, QueueFailurePolicy::Fails);
        }
        let (folder, options) = (self.folder.clone(), self.options.clone());
        let several = Arc::new(SourceFolder {
            folder,
            options,
            open: OpenSources::default(),
            summaries: LeagueSummaries::default(),
        });
        let listed = self.folder.clone();
        let api = api::of_folder(move || names(&listed).unwrap_or_default());
        Ok(Router::new()
            .route("/", get(list))
            .route("/{name}", get(with_slash))
            .fallback(source)
            .with_state(several)
            .merge(assets::routes())
            .merge(api)
            .merge(played(&self.folder, &self.options))
            .layer(middleware::from_fn(cors::shared)))
    }
}

fn is_source(folder: &Path) -> bool {
    LeagueFolder::find(folder).is_some() || holds_plan(folder)
}

/// The fate of a league that cannot take bots when it is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QueueFailurePolicy {
    /// It is not served.
    Fails,
    /// It is served, and takes bots as soon as it can.
    Waits,
}

fn routes(
    folder: &Path,
    options: &ServeOptions,
    closed: QueueFailurePolicy,
) -> Result<Router, Failure> {
    let pages = match LeagueFolder::find(folder) {
        Some(league) => league_routes(league, options, closed)?,
        None => {
            let source = live::WatchedTournament { folder: folder.to_owned(), round: None };
            let watched = LiveGames::new(options.hands, move || Some(source.clone()));
            let location = PageLocation::SERVED.with_links(options.links_of_tournament());
            let tournament = ServedTournament::new(folder, location, options.read_terms());
            Arc::clone(&tournament)
                .routes()
                .merge(live::routes(Arc::clone(&watched)))
                .merge(embedding::of_tournament(Arc::clone(&tournament)))
                .merge(api::of_tournament(tournament, watched))
        }
    };
    let own = folder.to_owned();
    let there = move |request: Request, next: Next| {
        let is_there = is_source(&own);
        async move {
            match is_there {
                true => next.run(request).await,
                false => page::gone_response(request.headers()),
            }
        }
    };
    let pages = pages.merge(played(folder, options)).layer(middleware::from_fn(there));
    Ok(pages.layer(middleware::from_fn(cors::shared)))
}

fn league_routes(
    folder: LeagueFolder,
    options: &ServeOptions,
    closed: QueueFailurePolicy,
) -> Result<Router, Failure> {
    let location = PageLocation::SERVED.with_links(options.links_of_league());
    let league = ServedLeague::open(folder.clone(), location, options.clone())?;
    let served = Arc::clone(&league);
    let watched = LiveGames::new(options.hands, move || served.open_round());
    let routes = Arc::clone(&league)
        .routes()
        .merge(live::routes(Arc::clone(&watched)))
        .merge(embedding::of_league(Arc::clone(&league)))
        .merge(log_page::routes(Arc::clone(&league)))
        .merge(api::of_league(Arc::clone(&league), watched));
    if options.submissions.is_none() {
        return Ok(routes);
    }
    let handing_in =
        SubmissionService::new(folder, Arc::clone(&options.queues), options.reviewing.clone());
    match (handing_in.open(), closed) {
        (Ok(_), _) => {}
        (Err(problem), QueueFailurePolicy::Fails) => return Err(problem),
        (Err(problem), QueueFailurePolicy::Waits) => say(format!("warning: {problem}")),
    }
    let routes = match remote::of_league(Arc::clone(&handing_in)) {
        Ok(remote) => routes.merge(remote),
        // Its pages are served all the same.
        Err(problem) => {
            say(format!("warning: remote bots cannot play: {}", system_error(&problem)));
            routes
        }
    };
    Ok(routes
        .route("/hand-in", get(|| async { Redirect::permanent("hand-in/") }))
        .route("/organiser", get(|| async { Redirect::permanent("organiser/") }))
        .nest("/organiser/", organiser::routes(Arc::clone(&handing_in), league))
        .nest("/hand-in/", submissions::routes(handing_in)))
}

/// The pages on which people play in a folder, if they can play at all.
fn played(folder: &Path, options: &ServeOptions) -> Router {
    let ServeOptions { people, reviewing, .. } = options;
    match people.occupancy() {
        (_, 0) => Router::new(),
        _ => {
            let place = PlayFolder::new(folder, Arc::clone(people)).with_reviews(reviewing.clone());
            people::routes::routes(Arc::new(place))
        }
    }
}

/// The names of the sources in a folder, in their order.
fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names: Vec<String> = fs::read_dir(folder)?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_name(name) && is_source(&folder.join(name)))
        .take(MOST)
        .collect();
    names.sort();
    Ok(names)
}

/// Returns true for a name that can stand in an address and leads nowhere else.
fn is_name(name: &str) -> bool {
    !name.starts_with('.') && !name.contains(['/', '\\', '\0']) && !OWN.contains(&name)
}

async fn list(State(several): State<Arc<SourceFolder>>) -> Response {
    page::read(move || {
        let play = PlayFolder::new(&several.folder, Arc::clone(&several.options.people));
        let offer = match several.options.people.occupancy().1 {
            0 => None,
            _ => play.offer().ok(),
        };
        let names = names(&several.folder).unwrap_or_default();
        home_page(&several.folder, &names, offer.as_ref(), &several.summaries).into_response()
    })
    .await
}

async fn with_slash(AtPath(name): AtPath<String>) -> Redirect {
    // Relative: a proxy may have the site below another address.
    Redirect::permanent(&format!("./{}/", encoded(&name)))
}

/// Hands a request to the source that its address names, which sees only the rest of the address.
async fn source(State(several): State<Arc<SourceFolder>>, request: Request) -> Response {
    let uri = request.uri();
    let Some((first, rest)) = uri.path().trim_start_matches('/').split_once('/') else {
        return page::missing();
    };
    let Some(name) = decoded(first).filter(|name| is_name(name)) else { return page::missing() };
    let rest = rest.to_owned();
    let is_interface = cors::is_interface(&format!("/{rest}"));
    let refusal = match several.source(name).await {
        None => page::missing(),
        Some(SourceState::Opening) => page::being_computed(),
        Some(SourceState::Pages(source)) => return page::nested(source, &rest, request).await,
        Some(SourceState::Failed(_, problem)) => {
            page::message(StatusCode::INTERNAL_SERVER_ERROR, "Unreadable data", &problem)
        }
    };
    if is_interface { cors::as_json(refusal) } else { refusal }
}

/// A part of an address as text.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = rest.get(2..)?;
    }
    String::from_utf8(bytes).ok()
}

impl SourceFolder {
    /// The source of this name, still being opened if that takes long; none if there is none.
    async fn source(&self, name: String) -> Option<SourceState> {
        if let Some(known) = self.open.get(&name) {
            return Some(known.within(page::PATIENCE).await);
        }
        let folder = self.folder.join(&name);
        let looked = folder.clone();
        if !tokio::task::spawn_blocking(move || is_source(&looked)).await.unwrap_or(false) {
            return None;
        }
        let options = self.options.clone();
        // A league that cannot take bots is served all the same, and discloses no more for it.
        let open = move || routes(&folder, &options, QueueFailurePolicy::Waits);
        Some(self.open.open(name, open).within(page::PATIENCE).await)
    }
}

/// Most contests that are described: of others, only the name is said.
const DESCRIBED: usize = 20;
/// Most leagues of which the words are kept; the names in the folder may change.
const KEPT: usize = 100;
/// Reading a league again takes at most one part in this number of the time.
const SHARE: u32 = 20;

/// What the page tells of leagues, each as it was last read.
#[derive(Debug, Default)]
pub(super) struct LeagueSummaries(Mutex<BTreeMap<String, LeagueSummary>>);

/// What the page tells of a league, for as long as neither its log nor a freeze changes.
#[derive(Debug, Clone)]
struct LeagueSummary {
    log: Option<LogStamp>,
    frozen: Option<Timestamp>,
    /// The game, the seats, the bots and the rounds, in words; none if the league cannot be read.
    words: Option<String>,
    /// The time from which it may be read again: a long log is not read for each visitor.
    due: Instant,
}

impl LeagueSummaries {
    /// The words for a league with this name, read again where its log or a freeze has changed.
    fn words(
        &self,
        name: &str,
        league: &LeagueFolder,
        announced: &Announcements,
    ) -> Option<String> {
        let (log, frozen) = (league.log_stamp(), announced.frozen);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let begun = Instant::now();
        // Once a freeze begins, earlier words may tell too much.
        let is_same = |it: &LeagueSummary| it.frozen == frozen && (it.log == log || begun < it.due);
        if let Some(known) = known.filter(is_same) {
            return known.words;
        }
        // Others need not wait for it.
        let words = league.read_as_of(frozen).ok().map(|state| {
            format!(
                "{}, {} · {} · {}",
                state.kind().about().title,
                counted(state.seats(), "seat", "seats"),
                counted(state.active().count(), "bot", "bots"),
                counted(state.rounds().len(), "round", "rounds")
            )
        });
        // What cannot be read now is looked for again.
        words.as_ref()?;
        let due = Instant::now() + begun.elapsed() * SHARE;
        let summary = LeagueSummary { log, frozen, words: words.clone(), due };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT && !kept.contains_key(name) {
            kept.clear();
        }
        kept.insert(name.to_owned(), summary);
        words
    }
}

/// The page of a folder with sources of these names.
fn home_page(
    folder: &Path,
    names: &[String],
    offer: Option<&TableOffer>,
    summaries: &LeagueSummaries,
) -> Html<String> {
    let links: &[BarLink<'_>] = match offer {
        Some(_) => &[("Play", "play/".to_owned())],
        None => &[],
    };
    let body = html! {
        (site_bar("./", links, "", html! {}))
        section.top id="top" aria-label="Title" { div.wrap {
            @match offer {
                Some(_) => h1 { "Play a card game against a bot. Or write one." },
                None => h1 { "Card games played by bots" },
            }
            p.status {
                "A referee that deals the cards, checks every move, and can prove it. You see what a bot in your seat "
                "would see."
            }
        } }
        main.wrap id="main" {
            @if let Some(offer) = offer { (table_offer::games(offer, "play/")) }
            section id="sources" aria-labelledby="sources-title" {
                h2 id="sources-title" { "Leagues and tournaments" }
                @if names.is_empty() {
                    p { "No contests yet: run " code { "arbiter league new" } " in the served folder to create one." }
                }
                ul.lists { @for name in names.iter().take(DESCRIBED) { (described(folder, name, summaries)) } }
                @if names.len() > DESCRIBED {
                    details {
                        summary { (names.len() - DESCRIBED) " more" }
                        ul.bots { @for name in names.iter().skip(DESCRIBED) {
                            li { a href={ "./" (encoded(name)) "/" } { (name) } }
                        } }
                    }
                }
            }
            section id="write" aria-labelledby="write-title" {
                h2 id="write-title" { "Write a bot in three commands" }
                div.three {
                    div { h3 { "1. Begin" } pre { code { "arbiter new my-bot" } } p.quiet { "Python, or one of ten other languages." } }
                    div { h3 { "2. Play" } pre { code { "arbiter match --game tablic ./my-bot greedy" } } p.quiet { "Each game is logged, move by move." } }
                    div { h3 { "3. See why it lost" } pre { code { "arbiter review" } } p.quiet { "The moves that cost most, and what was better." } }
                }
            }
        }
        footer { div.wrap { p { "Made by " b { "arbiter " (env!("CARGO_PKG_VERSION")) } } } }
    };
    let title = "card games";
    let (styles, scripts) = (&[table_offer::STYLE], &[SCRIPT]);
    let location = PageLocation::SERVED.self_updating();
    let page = Page { title, location, styles, scripts, data: &[], body };
    Html(page.render().into_string())
}

fn described(folder: &Path, name: &str, summaries: &LeagueSummaries) -> Markup {
    let link = html! { a.name href={ "./" (encoded(name)) "/" } { (name) } };
    let league = LeagueFolder::find(&folder.join(name));
    let Some(league) = league else {
        return html! { li { span { (link) div.quiet { "tournament" } } } };
    };
    // A freeze may hold that cannot be read.
    let Ok(announced) = Announcements::read(&league) else {
        return html! { li { span { (link) div.quiet { "league" } } span.badge.bad { "unreadable settings" } } };
    };
    let Some(words) = summaries.words(name, &league, &announced) else {
        return html! { li { span { (link) div.quiet { "league" } } span.badge.bad { "unreadable" } } };
    };
    html! { li {
        span { (link) div.quiet { (words) } }
        @match (announced.frozen.is_some(), league.is_running()) {
            (true, _) => span.badge.warn { "standings frozen" },
            (false, true) => span.badge.good.now-live { "running" },
            (false, false) => span.badge { "not running" },
        }
        @if let Some(countdown) = announced.countdown() { (countdown) }
    } }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tempfile::TempDir;

    use super::*;
    use crate::people::{PlayFolder, PlayService, TableTimeouts};

    /// Browsers did not send the form of a game: the page had the policy of a report on disk.
    #[test]
    fn the_games_of_the_first_page_can_be_begun() {
        let folder = TempDir::new().expect("a folder");
        let people = Arc::new(PlayService::new(1, TableTimeouts::default()));
        let offer = PlayFolder::new(folder.path(), people).offer().expect("games");
        let Html(page) = home_page(folder.path(), &[], Some(&offer), &LeagueSummaries::default());
        assert!(page.contains("action=\"play/\""), "{page}");
        assert!(
            page.contains("form-action 'self'") && !page.contains("form-action 'none'"),
            "{page}"
        );
    }
}
