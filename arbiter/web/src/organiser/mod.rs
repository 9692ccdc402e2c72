//! The page of a league's organiser: what waits, what is played, and the actions that are commands, too.
//!
//! The token of the organiser is another one than those of participants, and its cookie goes to this part of the site
//! alone. A page of another site cannot send a request from here ([`same_site`](crate::csrf)). Requests and
//! wrong tokens count with those of the page where bots are handed in.

mod page;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Router};
use serde::Deserialize;
use serde_json::json;
use text::printable;

use crate::sender;
use crate::submissions::answer::{RefusedRequest, as_json, blocking};
use crate::submissions::signing_in::{KEPT, token_in, with_cookie};
use crate::submissions::state::SubmissionPage;
use league::calendar;
use league::entry::queue::SubmissionQueue;
use league::folder::LeagueFolder;
use league::keys::LeagueKeys;
use league::{audit, extension, notices, participants, pause, submissions};
use page::OrganiserOverview;
use text::failure::Failure;

/// The longest form, in bytes: a notice of 2,000 characters, encoded.
const LONGEST_FORM: usize = 32 << 10;

/// Routes of the page, below an address that ends in a slash.
pub(super) fn routes(state: Arc<SubmissionPage>) -> Router {
    let counted = Arc::clone(&state);
    Router::new()
        .route("/", get(overview))
        .route("/sign-in", post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/{action}", post(act))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .layer(middleware::from_fn(move |request, next| count(Arc::clone(&counted), request, next)))
        .with_state(state)
}

async fn count(state: Arc<SubmissionPage>, request: Request, next: Next) -> Response {
    let address = sender::address(request.headers(), request.extensions());
    match state.count_request(address) {
        Err(refusal) => refusal.into_answer(request.headers()),
        Ok(()) => {
            let mut request = request;
            request.extensions_mut().insert(SenderAddress(address));
            next.run(request).await
        }
    }
}

/// The address of a client.
#[derive(Debug, Clone, Copy)]
struct SenderAddress(std::net::IpAddr);

/// Checks that the request has the token of an organiser, and returns their name.
async fn must_organise(
    state: &Arc<SubmissionPage>,
    SenderAddress(from): SenderAddress,
    token: Option<String>,
) -> Result<String, RefusedRequest> {
    let refused = |why: &str| RefusedRequest::new(StatusCode::UNAUTHORIZED, why);
    let token = token.ok_or_else(|| refused("organiser page: sign in"))?;
    let folder = state.folder().clone();
    let organiser = blocking(move || {
        let keys = LeagueKeys::read(&folder).map_err(|problem| RefusedRequest::ours(&problem))?;
        Ok(keys.organiser(&token).map(str::to_owned))
    });
    if let Some(name) = organiser.await? {
        return Ok(name);
    }
    state.count_wrong(from)?;
    Err(refused("invalid token: create one with `arbiter league organiser`"))
}

/// What the organiser sees.
async fn overview(
    State(state): State<Arc<SubmissionPage>>,
    axum::Extension(address): axum::Extension<SenderAddress>,
    headers: HeaderMap,
) -> Response {
    let token = sender::token(&headers).map(str::to_owned);
    match must_organise(&state, address, token).await {
        Ok(_) => {}
        // A browser without a token or with an old one gets the form.
        Err(refusal) if sender::wants_page(&headers) && refusal.is_unauthorised() => {
            return page::sign_in().into_response();
        }
        Err(refusal) => return refusal.into_answer(&headers),
    }
    let queue = match state.queue().await {
        Ok(queue) => queue,
        Err(refusal) => return refusal.into_answer(&headers),
    };
    let read = blocking(move || {
        OrganiserOverview::read(&queue, state.sizes())
            .map_err(|problem| RefusedRequest::ours(&problem))
    });
    match read.await {
        Err(refusal) => refusal.into_answer(&headers),
        Ok(overview) if sender::wants_page(&headers) => overview.page().into_response(),
        Ok(overview) => match serde_json::to_value(&overview) {
            Ok(told) => as_json(StatusCode::OK, &told),
            Err(error) => RefusedRequest::ours(&error).into_answer(&headers),
        },
    }
}

/// The values of a form; each action takes those that it needs.
#[derive(Debug, Default, Deserialize)]
struct FormFields {
    #[serde(default)]
    name: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    number: u64,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    until: String,
}

/// An action of the organiser. Each is a command, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrganiserAction {
    Pause,
    GoOn,
    Notice,
    RemoveNotice,
    Accept,
    Extend,
    Retire,
    Revoke,
}

impl OrganiserAction {
    fn named(name: &str) -> Option<OrganiserAction> {
        Some(match name {
            "pause" => OrganiserAction::Pause,
            "go-on" => OrganiserAction::GoOn,
            "notice" => OrganiserAction::Notice,
            "remove-notice" => OrganiserAction::RemoveNotice,
            "accept" => OrganiserAction::Accept,
            "extend" => OrganiserAction::Extend,
            "retire" => OrganiserAction::Retire,
            "revoke" => OrganiserAction::Revoke,
            _ => return None,
        })
    }

    /// Does it, and says what was done.
    fn act(
        self,
        folder: &LeagueFolder,
        queue: Option<&SubmissionQueue>,
        fields: &FormFields,
    ) -> Result<String, Failure> {
        let FormFields { name, text, number, reason, until } = fields;
        let reason = if reason.is_empty() { submissions::ACCEPTED } else { reason };
        let unwritten = |error| Failure::Ours(text::system_error(error));
        Ok(match self {
            OrganiserAction::Pause => {
                pause::begin(folder).map_err(unwritten)?;
                "paused".to_owned()
            }
            OrganiserAction::GoOn => {
                pause::end(folder).map_err(unwritten)?;
                "resumed".to_owned()
            }
            OrganiserAction::Notice => {
                let notice = notices::add(folder, text, calendar::now())?;
                format!("notice {} published", notice.number)
            }
            OrganiserAction::RemoveNotice => {
                notices::remove(folder, *number)?;
                format!("notice {number} removed")
            }
            OrganiserAction::Accept => match queue.map_or_else(
                || submissions::accept(folder, name, reason),
                |queue| queue.accept(name, reason),
            )? {
                Some(submission) => {
                    format!("{name}: submission {} queued", submission.number)
                }
                None => {
                    let problem = format!("no late submission of `{}`", printable(name));
                    return Err(Failure::Usage(problem));
                }
            },
            OrganiserAction::Extend => extension::extend(folder, name, until, &fields.reason)?,
            OrganiserAction::Retire => {
                folder.retire(std::slice::from_ref(name), None)?;
                format!("{} retired", printable(name))
            }
            OrganiserAction::Revoke => {
                participants::revoke(folder, name, None)?;
                format!("token of {} revoked", printable(name))
            }
        })
    }
}

async fn act(
    State(state): State<Arc<SubmissionPage>>,
    axum::Extension(address): axum::Extension<SenderAddress>,
    Path(action): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<FormFields>,
) -> Response {
    let done = async {
        let token = sender::token(&headers).map(str::to_owned);
        let organiser = must_organise(&state, address, token).await?;
        let unknown = || RefusedRequest::new(StatusCode::NOT_FOUND, "unknown action");
        let named = OrganiserAction::named(&action).ok_or_else(unknown)?;
        let queue = state.opened();
        let folder = state.folder().clone();
        blocking(move || {
            let done = named.act(&folder, queue.as_deref(), &fields);
            let done = done.map_err(|failure| match failure {
                Failure::Usage(why) => RefusedRequest::new(StatusCode::CONFLICT, why),
                Failure::Later(why) => {
                    RefusedRequest::later(StatusCode::SERVICE_UNAVAILABLE, why, 10)
                }
                other => RefusedRequest::ours(&other),
            })?;
            audit::add(&folder, &organiser, &action, &done);
            Ok(done)
        })
        .await
    };
    match done.await {
        Err(refusal) => RefusedRequest::into_answer(refusal, &headers),
        Ok(_) if sender::wants_page(&headers) => Redirect::to("./").into_response(),
        Ok(done) => as_json(StatusCode::OK, &json!({ "done": done })),
    }
}

/// Gives a browser the cookie.
async fn sign_in(
    State(state): State<Arc<SubmissionPage>>,
    axum::Extension(address): axum::Extension<SenderAddress>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let signed_in = async {
        let body = axum::body::to_bytes(body, LONGEST_FORM).await.ok();
        let missing = || RefusedRequest::new(StatusCode::BAD_REQUEST, "enter the organiser token");
        let token = body.as_ref().and_then(token_in).ok_or_else(missing)?;
        must_organise(&state, address, Some(token.clone())).await?;
        Ok(token)
    };
    match signed_in.await {
        Ok(token) => with_cookie(
            Redirect::to("./").into_response(),
            &headers,
            (sender::COOKIE, &token),
            KEPT,
        ),
        Err(refusal) => RefusedRequest::into_answer(refusal, &headers),
    }
}

/// Takes the cookie back.
async fn sign_out(headers: HeaderMap) -> Response {
    with_cookie(Redirect::to("./").into_response(), &headers, (sender::COOKIE, ""), 0)
}
