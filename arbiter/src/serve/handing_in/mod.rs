//! Handing in bots over the page of a league.
//!
//! # Theory of operation
//!
//! **A token says who it is** ([`guest`](crate::serve::guest)), in the header `Authorization` of a program or in the cookie of a
//! browser, which no script sees and which comes with no request from elsewhere. It is looked up by its
//! digest, anew for each request, so one that is taken back is void at once.
//!
//! **Everything is counted before it is read** ([`rates`](crate::serve::rates)): the requests of an address, its wrong tokens,
//! the uploads of a participant, and how many uploads there are at once. A body goes to a file piece by piece
//! ([`upload`]), so memory does not depend on what is sent.
//!
//! **Nothing is done while the client waits.** What was taken in waits on the disk, and one thread deals
//! with one after the other ([`Desk`]), for each league ([`Desks`]).
//!
//! **What others see is a verdict**: whose bot, its version, entered or at which step refused. The reason, the
//! report and the name of the file are for the participant alone ([`answer`]).

mod answer;
mod desks;
mod pages;
mod upload;

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use rules::Digest;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::commands::league::{Desk, NotOpened};
use crate::league::faults;
use crate::league::folder::LeagueFolder;
use crate::league::participants::Participants;
use crate::league::submissions::{self, NotTaken, Submission};
use crate::serve::guest;
use crate::serve::rates::{Rate, Rates};
use answer::{Refusal, as_json};
pub(super) use desks::Desks;

/// How often an address may ask for anything: a class behind one address has enough.
const REQUESTS: Rate = Rate { turns: 200, every: Duration::from_millis(50) };
/// How often an address may give a wrong token.
const WRONG: Rate = Rate { turns: 10, every: Duration::from_secs(10) };
/// How often a participant may send a file.
const UPLOADS: Rate = Rate { turns: 20, every: Duration::from_secs(30) };
/// How many files are sent at once.
const AT_ONCE: usize = 8;
/// The longest body that is not a file, in bytes.
const LONGEST_FORM: usize = 4 << 10;
/// How long a browser keeps the token, in seconds: 60 days.
const KEPT: u64 = 60 * 24 * 60 * 60;
/// How many faults of a bot are told: for each the log of a round may be read.
const FAULTS: usize = 10;
/// How many submissions of all are listed.
const LISTED: usize = 100;

/// Where bots are handed in to a league.
#[derive(Debug)]
pub(super) struct HandingIn {
    desk: Arc<Desk>,
    requests: Rates<IpAddr>,
    wrong: Rates<IpAddr>,
    uploads: Rates<String>,
    places: Semaphore,
    /// The participants who are just sending a file.
    senders: Mutex<BTreeSet<String>>,
}

impl HandingIn {
    /// Opens the desk of a league.
    ///
    /// # Errors
    ///
    /// [`NotOpened`]
    pub(super) fn open(folder: LeagueFolder, desks: &Desks) -> Result<Arc<HandingIn>, NotOpened> {
        Ok(Arc::new(HandingIn {
            desk: desks.open(folder)?,
            requests: Rates::new(REQUESTS),
            wrong: Rates::new(WRONG),
            uploads: Rates::new(UPLOADS),
            places: Semaphore::new(AT_ONCE),
            senders: Mutex::default(),
        }))
    }

    fn senders(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose token a request has; none where it has none.
    async fn participant(self: &Arc<Self>, request: &Asked) -> Result<Option<String>, Refusal> {
        match &request.token {
            None => Ok(None),
            Some(token) => self.with_token(token.clone(), request.address).await.map(Some),
        }
    }

    async fn with_token(self: &Arc<Self>, token: String, from: IpAddr) -> Result<String, Refusal> {
        let state = Arc::clone(self);
        let found = in_thread(move || {
            let all = Participants::read(state.desk.folder()).map_err(|it| Refusal::ours(&it))?;
            Ok(all.with_token(&token).map(str::to_owned))
        });
        match found.await? {
            Some(name) => Ok(name),
            None => {
                // Only wrong ones are counted: 256 bits are not found by trying.
                self.wrong.take(from, Instant::now())?;
                Err(Refusal::new(
                    StatusCode::UNAUTHORIZED,
                    "this token is not valid, ask for a new one",
                ))
            }
        }
    }
}

/// What is known of each request.
#[derive(Debug, Clone)]
struct Asked {
    address: IpAddr,
    token: Option<String>,
}

/// The pages and the interface for programs, below an address that ends in a slash.
pub(super) fn routes(state: Arc<HandingIn>) -> Router {
    let counted = Arc::clone(&state);
    Router::new()
        .route("/", get(overview).post(hand_in))
        .route("/sign-in", post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/submissions/{number}", get(submission))
        .route("/faults", get(own_faults))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .layer(middleware::from_fn(move |request, next| count(Arc::clone(&counted), request, next)))
        .with_state(state)
}

/// Counts a request before anything is done for it.
async fn count(state: Arc<HandingIn>, mut request: Request, next: Next) -> Response {
    let address = guest::address(request.headers(), request.extensions());
    if let Err(problem) = state.requests.take(address, Instant::now()) {
        return Refusal::from(problem).told(request.headers());
    }
    let token = guest::token(request.headers()).map(str::to_owned);
    request.extensions_mut().insert(Asked { address, token });
    next.run(request).await
}

/// The page with the form and what was handed in.
async fn overview(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<Asked>,
    headers: HeaderMap,
) -> Response {
    let participant = match state.participant(&asked).await {
        Ok(participant) => participant,
        // A browser with an old cookie gets the form.
        Err(_) if guest::wants_page(&headers) => None,
        Err(refusal) => return refusal.told(&headers),
    };
    let read = in_thread(move || {
        let failed = |error| Refusal::ours(&error);
        let folder = state.desk.folder();
        let mut all = submissions::all(folder).map_err(failed)?;
        let own = match &participant {
            Some(name) => submissions::of(folder, name).map_err(failed)?,
            None => Vec::new(),
        };
        all.reverse();
        all.truncate(LISTED);
        let is_at_work = |submission: &Submission| state.desk.is_at_work_on(submission);
        let own: Vec<(Submission, bool)> = own
            .into_iter()
            .rev()
            .map(|it| {
                let at_work = is_at_work(&it);
                (it, at_work)
            })
            .collect();
        Ok((participant, own, all))
    });
    match read.await {
        Err(refusal) => refusal.told(&headers),
        Ok((participant, own, all)) if guest::wants_page(&headers) => {
            pages::overview(participant.as_deref(), &own, &all).into_response()
        }
        Ok((participant, own, all)) => {
            let own: Vec<_> = own.iter().map(|(it, at_work)| answer::own(it, *at_work)).collect();
            let all: Vec<_> = all.iter().map(answer::public).collect();
            as_json(StatusCode::OK, &json!({ "participant": participant, "own": own, "all": all }))
        }
    }
}

/// What comes with a file.
#[derive(Debug, Deserialize)]
struct Sent {
    /// Its name.
    file: Option<String>,
}

/// Takes in a file.
async fn hand_in(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<Asked>,
    Query(sent): Query<Sent>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match taken_in(&state, &asked, &headers, sent, body).await {
        Err(refusal) => refusal.told(&headers),
        Ok(submission) if guest::wants_page(&headers) => {
            Redirect::to(&format!("submissions/{}", submission.number)).into_response()
        }
        Ok(submission) => as_json(StatusCode::ACCEPTED, &answer::own(&submission, false)),
    }
}

async fn taken_in(
    state: &Arc<HandingIn>,
    asked: &Asked,
    headers: &HeaderMap,
    sent: Sent,
    body: Body,
) -> Result<Submission, Refusal> {
    let (Some(name), Some(token)) = (state.participant(asked).await?, &asked.token) else {
        let why = "a token is needed: -H 'Authorization: Bearer TOKEN'";
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, why));
    };
    let token = Digest::hash(token.as_bytes());
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("multipart/")) {
        let why = "the body is a form, expected the file itself: --data-binary @bot.zip";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    state.uploads.take(name.clone(), Instant::now())?;
    let _sending = Sending::begin(state, &name)?;
    let (desk, participant) = (Arc::clone(&state.desk), name.clone());
    in_thread(move || desk.must_have_room(&participant).map_err(refused)).await?;
    let most = state.desk.bounds().upload;
    let Ok(_place) = state.places.try_acquire() else {
        let why = "too many files are being sent, try again later";
        return Err(Refusal::later(StatusCode::SERVICE_UNAVAILABLE, why, 10));
    };
    let folder = submissions::arriving(state.desk.folder()).map_err(|it| Refusal::ours(&it))?;
    let file = upload::received(body, folder, most).await?;
    let desk = Arc::clone(&state.desk);
    in_thread(move || desk.take_in(&name, token, file, sent.file.as_deref()).map_err(refused)).await
}

fn refused(problem: NotTaken) -> Refusal {
    match problem {
        NotTaken::Waiting(_) => Refusal::later(StatusCode::CONFLICT, problem.to_string(), 10),
        NotTaken::Full => Refusal::later(StatusCode::SERVICE_UNAVAILABLE, problem.to_string(), 60),
        NotTaken::Failed(error) => Refusal::ours(&error),
    }
}

/// A participant who is sending a file, one at a time.
struct Sending<'a> {
    state: &'a HandingIn,
    name: String,
}

impl Sending<'_> {
    fn begin<'a>(state: &'a HandingIn, name: &str) -> Result<Sending<'a>, Refusal> {
        match state.senders().insert(name.to_owned()) {
            true => Ok(Sending { state, name: name.to_owned() }),
            false => {
                let why = "another file of yours is being sent, wait until it is there";
                Err(Refusal::later(StatusCode::CONFLICT, why, 10))
            }
        }
    }
}

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        self.state.senders().remove(&self.name);
    }
}

/// One submission of the participant, with its report.
async fn submission(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<Asked>,
    Path(number): Path<u64>,
    headers: HeaderMap,
) -> Response {
    let name = match state.participant(&asked).await {
        Ok(Some(name)) => name,
        Ok(None) => {
            let why = "reports are for their authors: sign in with your token";
            return Refusal::new(StatusCode::UNAUTHORIZED, why).told(&headers);
        }
        Err(refusal) => return refusal.told(&headers),
    };
    let read = in_thread(move || {
        let folder = state.desk.folder();
        let all = submissions::of(folder, &name).map_err(|it| Refusal::ours(&it))?;
        let missing = || Refusal::new(StatusCode::NOT_FOUND, "you have no such submission");
        let found = all.into_iter().find(|it| it.number == number).ok_or_else(missing)?;
        let report = found.report(folder);
        let is_at_work = state.desk.is_at_work_on(&found);
        Ok((found, is_at_work, report))
    });
    match read.await {
        Err(refusal) => refusal.told(&headers),
        Ok((found, is_at_work, report)) if guest::wants_page(&headers) => {
            pages::submission(&found, is_at_work, report.as_deref()).into_response()
        }
        Ok((found, is_at_work, report)) => {
            let mut told = answer::own(&found, is_at_work);
            told["report"] = json!(report);
            as_json(StatusCode::OK, &told)
        }
    }
}

/// The last games that the bot of the participant has forfeited, with what it wrote to standard error.
async fn own_faults(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<Asked>,
    headers: HeaderMap,
) -> Response {
    let name = match state.participant(&asked).await {
        Ok(Some(name)) => name,
        Ok(None) => {
            let why =
                "what bots write to standard error is for their authors: sign in with your token";
            return Refusal::new(StatusCode::UNAUTHORIZED, why).told(&headers);
        }
        Err(refusal) => return refusal.told(&headers),
    };
    let read = in_thread(move || {
        faults::of(state.desk.folder(), &name, FAULTS).map_err(|problem| Refusal::ours(&problem))
    });
    match read.await {
        Err(refusal) => refusal.told(&headers),
        Ok(told) if guest::wants_page(&headers) => pages::faults(&told).into_response(),
        Ok(told) => {
            let told: Vec<_> = told.iter().map(answer::fault).collect();
            as_json(StatusCode::OK, &json!({ "faults": told }))
        }
    }
}

/// Gives a browser the cookie.
async fn sign_in(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<Asked>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let Ok(body) = axum::body::to_bytes(body, LONGEST_FORM).await else {
        let why = "the form is too long, expected a token";
        return Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, why).told(&headers);
    };
    let Some(token) = token_in(&body) else {
        let why = "there is no token in the form";
        return Refusal::new(StatusCode::BAD_REQUEST, why).told(&headers);
    };
    match state.with_token(token.clone(), asked.address).await {
        Ok(_) => with_cookie(&headers, &token, KEPT),
        Err(refusal) => refusal.told(&headers),
    }
}

/// Takes the cookie back.
async fn sign_out(headers: HeaderMap) -> Response {
    with_cookie(&headers, "", 0)
}

/// The token in a form. It has digits and letters alone, which no form encodes.
fn token_in(body: &Bytes) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let mut fields = text.split('&').filter_map(|field| field.split_once('='));
    let (_, value) = fields.find(|(name, _)| *name == "token")?;
    // Blanks around it come of copying.
    let token = value.trim_matches(['+', ' ']).trim_start_matches("%20").trim_end_matches("%20");
    let is_plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_plain && !token.is_empty()).then(|| token.to_owned())
}

/// Leads back to the page, with the cookie for this part of the site.
fn with_cookie(headers: &HeaderMap, token: &str, seconds: u64) -> Response {
    // Without a path a cookie is for what lies beside the address that has set it, behind any proxy.
    let secure = if guest::is_secure(headers) { "; Secure" } else { "" };
    let name = guest::COOKIE;
    let cookie = format!("{name}={token}; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    let mut response = Redirect::to("./").into_response();
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            response
        }
        Err(error) => Refusal::ours(&error).told(headers),
    }
}

/// Does what reads or writes files, in a thread for that.
async fn in_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|it| Err(Refusal::ours(&it)))
}
