//! The page of a league's organiser: what waits, what is wrong, and all that the commands can do.
//!
//! The token of the organiser is another one than those of participants, and its cookie goes to this part of the site
//! alone. A page of another site cannot send a request from here ([`same_site`](crate::csrf)); besides, each form has a
//! token of its own, which follows from that of the organiser. Requests and wrong tokens count with those of the page
//! where bots are handed in.
//!
//! An action that changes results, or that no button takes back, asks on a page of its own ([`question`]): it names the
//! thing and says what will happen, as far as the league is now. Without scripts all of it works as well.

mod action;
mod overview;
mod page;
mod question;
mod questions;
mod stage_wait;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Router};
use rules::Digest;
use serde_json::json;

use crate::client_address;
use crate::league::ServedLeague;
use crate::submissions::answer::{self, AnswerFormat, RefusedRequest, as_json, blocking};
use crate::submissions::signing_in::{KEPT, token_in, with_cookie};
use crate::submissions::state::{SubmissionService, announced};
use action::{ActionContext, FormFields, OrganiserAction};
use league::audit;
use league::entry::queue::SubmissionQueue;
use league::index::LeagueIndex;
use league::keys::LeagueKeys;
use overview::OrganiserOverview;
use page::ParticipantSearch;
use questions::Question;
use report::html::layout::PageLocation;
use report::league::{LeaguePage, LeagueReport};
use stage_wait::StageWait;
use text::failure::Failure;

/// The longest form, in bytes: a notice of 2,000 characters, encoded.
const LONGEST_FORM: usize = 32 << 10;
/// The most actions on the page of all of them.
const ACTIONS: usize = 5_000;

#[derive(Debug)]
struct OrganiserPages {
    submissions: Arc<SubmissionService>,
    served: Arc<ServedLeague>,
    stages: StageWait,
    /// The ceremony, as it was last made of this head and with or without a freeze: it takes the games of the whole league.
    made_ceremony: Mutex<Option<((Digest, bool), String)>>,
}

/// Routes of the page, below an address that ends in a slash.
pub(super) fn routes(submissions: Arc<SubmissionService>, served: Arc<ServedLeague>) -> Router {
    let counted = Arc::clone(&submissions);
    let stages = StageWait::default();
    let state =
        Arc::new(OrganiserPages { submissions, served, stages, made_ceremony: Mutex::default() });
    Router::new()
        .route("/", get(overview))
        .route("/sign-in", post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/audit", get(actions))
        .route("/ceremony", get(ceremony))
        .route("/{action}", get(ask).post(act))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .layer(middleware::from_fn_with_state(counted, count))
        .layer(middleware::from_fn(answer::write_refusals))
        .with_state(state)
}

async fn count(
    State(state): State<Arc<SubmissionService>>,
    request: Request,
    next: Next,
) -> Result<Response, RefusedRequest> {
    let address = client_address::address(request.headers(), request.extensions());
    state.count_request(address)?;
    Ok(next.run(request).await)
}

struct SignedInOrganiser {
    name: String,
    /// The token that forms have, against forgery.
    form: String,
}

impl FromRequestParts<Arc<OrganiserPages>> for SignedInOrganiser {
    type Rejection = Response;

    /// A browser that opens a page without the token gets the form to sign in.
    async fn from_request_parts(
        parts: &mut Parts,
        pages: &Arc<OrganiserPages>,
    ) -> Result<SignedInOrganiser, Response> {
        let address = client_address::address(&parts.headers, &parts.extensions);
        let token = client_address::token(&parts.headers).map(str::to_owned);
        pages.signed_in(address, token).await.map_err(|refusal| {
            let is_stranger = refusal.status == StatusCode::UNAUTHORIZED;
            let opens_page =
                parts.method != Method::POST && client_address::wants_page(&parts.headers);
            match is_stranger && opens_page {
                true => page::sign_in().into_response(),
                false => refusal.into_response(),
            }
        })
    }
}

/// The token of forms: it follows from the token of the organiser, which it does not tell.
fn form_token(token: &str) -> String {
    let mut digest = Digest::hash(format!("form of the organiser {token}").as_bytes()).to_string();
    digest.truncate(32);
    digest
}

impl OrganiserPages {
    /// Checks that the request has the token of an organiser.
    async fn signed_in(
        &self,
        from: IpAddr,
        token: Option<String>,
    ) -> Result<SignedInOrganiser, RefusedRequest> {
        let refused = |why: &str| RefusedRequest::new(StatusCode::UNAUTHORIZED, why);
        let token = token.ok_or_else(|| refused("organiser page: sign in"))?;
        let folder = self.submissions.folder().clone();
        let form = form_token(&token);
        let organiser = blocking(move || {
            let keys = LeagueKeys::read(&folder).map_err(RefusedRequest::ours)?;
            Ok(keys.organiser(&token).map(str::to_owned))
        });
        if let Some(name) = organiser.await? {
            return Ok(SignedInOrganiser { name, form });
        }
        self.submissions.count_wrong(from)?;
        Err(refused("invalid token: create one with `arbiter league organiser`"))
    }

    /// The ceremony of the league as it is now.
    fn ceremony_page(&self, queue: &SubmissionQueue) -> Result<String, RefusedRequest> {
        let at = PageLocation::SERVED.self_updating().below();
        let announced = announced(queue);
        if announced.frozen.is_none() {
            // The public pages have the same standings, which take long with many bots.
            let shown = self.served.compute(|reading, index| match reading.announced.frozen {
                None => reading.page(LeaguePage::Ceremony, index, at),
                Some(_) => Ok(None),
            });
            if let Some(page) = shown.map_err(RefusedRequest::ours)? {
                return Ok(page);
            }
        }
        let folder = queue.folder();
        let league = folder.read().map_err(RefusedRequest::ours)?;
        let made_of = (league.head(), announced.frozen.is_some());
        let mut made = self.made_ceremony.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, page)) = made.as_ref().filter(|(known, _)| *known == made_of) {
            return Ok(page.clone());
        }
        let index = LeagueIndex::open_checked(&league, folder).map_err(RefusedRequest::ours)?;
        let reading = LeagueReport::new(folder, league, index.tally(), None);
        let mut reading = reading.map_err(RefusedRequest::ours)?;
        reading.announced = announced;
        let page = reading.page(LeaguePage::Ceremony, &index, at);
        let page = page.map_err(RefusedRequest::ours)?.unwrap_or_default();
        *made = Some((made_of, page.clone()));
        Ok(page)
    }
}

async fn overview(
    State(pages): State<Arc<OrganiserPages>>,
    Query(search): Query<ParticipantSearch>,
    organiser: SignedInOrganiser,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let queue = pages.submissions.queue().await?;
    let overview = blocking(move || {
        OrganiserOverview::read(&queue, &pages.submissions, &pages.stages, &pages.served)
            .map_err(RefusedRequest::ours)
    })
    .await?;
    match format {
        AnswerFormat::Page => Ok(overview.page(&search, &organiser.form).into_response()),
        AnswerFormat::Json => serde_json::to_value(&overview)
            .map(|told| as_json(StatusCode::OK, &told))
            .map_err(RefusedRequest::ours),
    }
}

async fn actions(
    State(pages): State<Arc<OrganiserPages>>,
    _: SignedInOrganiser,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let queue = pages.submissions.queue().await?;
    let (lines, calendar) = blocking(move || {
        let lines = audit::latest(queue.folder(), ACTIONS);
        let lines = lines.map_err(RefusedRequest::ours)?;
        Ok((lines, announced(&queue).calendar))
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => page::audit_page(&lines, &calendar).into_response(),
        AnswerFormat::Json => as_json(StatusCode::OK, &json!({ "audit": lines })),
    })
}

/// The ceremony of the league as it is now, also while public pages stand still.
async fn ceremony(
    State(pages): State<Arc<OrganiserPages>>,
    _: SignedInOrganiser,
) -> Result<Html<String>, RefusedRequest> {
    let queue = pages.submissions.queue().await?;
    blocking(move || pages.ceremony_page(&queue)).await.map(Html)
}

/// Reads the question before an action; none where it needs none.
async fn question(
    pages: &Arc<OrganiserPages>,
    organiser: &SignedInOrganiser,
    action: OrganiserAction,
    fields: FormFields,
) -> Result<Option<Question>, RefusedRequest> {
    let (pages, by) = (Arc::clone(pages), organiser.name.clone());
    blocking(move || {
        let (folder, queue) = (pages.submissions.folder(), pages.submissions.opened());
        let queue = queue.as_deref();
        let context = ActionContext { folder, queue, stages: &pages.stages, by: &by };
        Question::for_action(action, context, &fields).map_err(failed)
    })
    .await
}

/// Asks before an action, and says what will happen.
async fn ask(
    State(pages): State<Arc<OrganiserPages>>,
    Path(action): Path<String>,
    Query(fields): Query<FormFields>,
    organiser: SignedInOrganiser,
    format: AnswerFormat,
) -> Result<Response, RefusedRequest> {
    let action = OrganiserAction::named(&action).ok_or_else(unknown_action)?;
    let question = question(&pages, &organiser, action, fields).await?;
    let question = question.ok_or_else(unknown_action)?;
    Ok(match format {
        AnswerFormat::Page => question.page(action, &organiser.form, None).into_response(),
        AnswerFormat::Json => {
            let (follows, problem) = (question.follows(), question.problem());
            let told = json!({ "title": question.title, "follows": follows, "problem": problem });
            as_json(StatusCode::OK, &told)
        }
    })
}

fn unknown_action() -> RefusedRequest {
    RefusedRequest::new(StatusCode::NOT_FOUND, "unknown action")
}

fn failed(failure: Failure) -> RefusedRequest {
    match failure {
        Failure::Usage(why) => RefusedRequest::new(StatusCode::CONFLICT, why),
        Failure::Later(why) => RefusedRequest::later(StatusCode::SERVICE_UNAVAILABLE, why, 10),
        other => RefusedRequest::ours(other),
    }
}

async fn act(
    State(pages): State<Arc<OrganiserPages>>,
    Path(action): Path<String>,
    organiser: SignedInOrganiser,
    (headers, format): (HeaderMap, AnswerFormat),
    Form(fields): Form<FormFields>,
) -> Result<Response, RefusedRequest> {
    let action = OrganiserAction::named(&action).ok_or_else(unknown_action)?;
    // A program names its token with each request; a cookie comes with any.
    if !headers.contains_key(header::AUTHORIZATION) && fields.form != organiser.form {
        let why = "the form is not from this page: reload it and try again";
        return Err(RefusedRequest::new(StatusCode::FORBIDDEN, why));
    }
    let done = {
        let (pages, by, fields) = (Arc::clone(&pages), organiser.name.clone(), fields.clone());
        blocking(move || {
            let (folder, queue) = (pages.submissions.folder(), pages.submissions.opened());
            let queue = queue.as_deref();
            let context = ActionContext { folder, queue, stages: &pages.stages, by: &by };
            let outcome = action.act(context, &fields).map_err(failed)?;
            audit::add(folder, &by, action.name(), &outcome.0);
            Ok(outcome)
        })
    };
    match (done.await, format) {
        (Err(refusal), AnswerFormat::Page) => {
            // The question again, with the refusal, where there is one.
            match question(&pages, &organiser, action, fields).await {
                Ok(Some(question)) => {
                    let page = question.page(action, &organiser.form, Some(&refusal.why));
                    Ok((refusal.status, page).into_response())
                }
                Ok(None) | Err(_) => Err(refusal),
            }
        }
        (Err(refusal), AnswerFormat::Json) => Err(refusal),
        (Ok((done, Some(token))), AnswerFormat::Page) => {
            Ok(page::token_page(action, &done, &token).into_response())
        }
        (Ok((_, None)), AnswerFormat::Page) => Ok(Redirect::to("./").into_response()),
        (Ok((done, token)), AnswerFormat::Json) => {
            let mut told = json!({ "done": done });
            if let Some(token) = token {
                told["token"] = json!(token);
            }
            Ok(as_json(StatusCode::OK, &told))
        }
    }
}

/// Gives a browser the cookie.
async fn sign_in(
    State(pages): State<Arc<OrganiserPages>>,
    extensions: Extensions,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, RefusedRequest> {
    let body = axum::body::to_bytes(body, LONGEST_FORM).await.ok();
    let missing = || RefusedRequest::new(StatusCode::BAD_REQUEST, "enter the organiser token");
    let token = body.as_ref().and_then(token_in).ok_or_else(missing)?;
    let address = client_address::address(&headers, &extensions);
    pages.signed_in(address, Some(token.clone())).await?;
    let there = Redirect::to("./").into_response();
    Ok(with_cookie(there, &headers, (client_address::COOKIE, &token), KEPT))
}

/// Takes the cookie back.
async fn sign_out(headers: HeaderMap) -> Response {
    with_cookie(Redirect::to("./").into_response(), &headers, (client_address::COOKIE, ""), 0)
}
