//! Tokens of participants: signing in, registering by a code, and a new token in place of the old one; and what a
//! participant chooses: the bot that the pages are about, and the version of it that plays.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use bot::spelt_as_names;
use serde::Deserialize;
use serde_json::json;

use super::answer::{AnswerFormat, RefusedRequest, as_json, blocking};
use super::pages;
use super::state::{LONGEST_FORM, RequestContext, SignedInParticipant, SubmissionService};
use crate::client_address;
use league::choice::Chooser;
use league::refusal::{Refusal, RefusalKind};
use league::token::Token;
use league::{BotVersion, audit, calendar, choice, keys, participants, submissions};

/// The time for which a browser keeps the token, in seconds: 60 days.
pub(crate) const KEPT: u64 = 60 * 24 * 60 * 60;

/// Gives a browser the cookie.
pub(super) async fn sign_in(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, RefusedRequest> {
    let body = axum::body::to_bytes(body, LONGEST_FORM).await;
    let body = body
        .map_err(|_| RefusedRequest::new(StatusCode::PAYLOAD_TOO_LARGE, "the form is too long"))?;
    let missing = || RefusedRequest::new(StatusCode::BAD_REQUEST, "enter your token");
    let token = token_in(&body).ok_or_else(missing)?;
    state.with_token(token.clone(), asked.address).await?;
    let there = Redirect::to("./").into_response();
    Ok(with_cookie(there, &headers, (client_address::COOKIE, &token), KEPT))
}

/// Takes the cookie back.
pub(super) async fn sign_out(headers: HeaderMap) -> Response {
    let there = Redirect::to("./").into_response();
    let there = with_cookie(there, &headers, (client_address::BOT_COOKIE, ""), 0);
    with_cookie(there, &headers, (client_address::COOKIE, ""), 0)
}

#[derive(Debug, Deserialize)]
pub(super) struct RegistrationForm {
    code: String,
    name: String,
}

/// Registers a participant by the code of the league. The token is shown once.
pub(super) async fn register(
    State(state): State<Arc<SubmissionService>>,
    Extension(asked): Extension<RequestContext>,
    (headers, format): (HeaderMap, AnswerFormat),
    Form(RegistrationForm { code, name }): Form<RegistrationForm>,
) -> Result<Response, RefusedRequest> {
    state.count_registration(asked.address)?;
    let name = spelt_as_names(name.trim());
    let (queue, wanted) = (Arc::clone(&asked.queue), name.clone());
    let made = blocking(move || Ok(keys::register(queue.folder(), &code, &wanted))).await?;
    if made.as_ref().err().and_then(Refusal::kind) == Some(RefusalKind::Unauthorised) {
        state.count_wrong(asked.address)?;
    }
    Ok(token_answer(&headers, format, &name, &made?))
}

/// Gives a participant a new token in place of the one of the request, which is void from then on.
pub(super) async fn renew(
    Extension(asked): Extension<RequestContext>,
    SignedInParticipant { by, .. }: SignedInParticipant,
    (headers, format): (HeaderMap, AnswerFormat),
) -> Result<Response, RefusedRequest> {
    let (name, token) = blocking(move || {
        let folder = asked.queue.folder();
        let renewed = participants::renew(folder, &asked.token.unwrap_or_default())?;
        audit::add_of_participant(folder, &by, "token", "new token in its place");
        Ok((by.participant, renewed))
    })
    .await?;
    Ok(token_answer(&headers, format, &name, &token))
}

/// Shows a new token, and signs a browser in with it.
fn token_answer(headers: &HeaderMap, format: AnswerFormat, name: &str, token: &Token) -> Response {
    let token = token.to_string();
    let response = match format {
        AnswerFormat::Page => pages::new_token(name, &token).into_response(),
        AnswerFormat::Json => {
            as_json(StatusCode::OK, &json!({ "participant": name, "token": token }))
        }
    };
    with_cookie(response, headers, (client_address::COOKIE, &token), KEPT)
}

/// The token in a form. It has digits and letters alone, which no form encodes.
pub(crate) fn token_in(body: &Bytes) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let mut fields = text.split('&').filter_map(|field| field.split_once('='));
    let (_, value) = fields.find(|(name, _)| *name == "token")?;
    // Blanks around it come of copying.
    let token = value.trim_matches(['+', ' ']).trim_start_matches("%20").trim_end_matches("%20");
    let is_plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_plain && !token.is_empty()).then(|| token.to_owned())
}

/// Adds a cookie for this part of the site to an answer.
pub(crate) fn with_cookie(
    mut response: Response,
    headers: &HeaderMap,
    (name, value): (&str, &str),
    seconds: u64,
) -> Response {
    // Without a path a cookie is for what lies beside the address that has set it, behind any proxy.
    let secure = if client_address::is_secure(headers) { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => {
            response.headers_mut().append(header::SET_COOKIE, cookie);
            response
        }
        Err(error) => RefusedRequest::ours(error).into_response(),
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct VersionChoiceForm {
    bot: String,
}

/// Lets a version of the participant's bot play from the next round on.
pub(super) async fn choose(
    Extension(asked): Extension<RequestContext>,
    SignedInParticipant { by, bot: name }: SignedInParticipant,
    format: AnswerFormat,
    Form(VersionChoiceForm { bot }): Form<VersionChoiceForm>,
) -> Result<Response, RefusedRequest> {
    let own = bot.parse().ok().filter(|bot: &BotVersion| bot.bot == name);
    let bot = own.ok_or_else(|| {
        let why = format!("not your bot: choose a version of {name}, such as {name}@1");
        RefusedRequest::new(StatusCode::BAD_REQUEST, why)
    })?;
    let bot = blocking(move || {
        let terms = asked.queue.terms();
        let (terms, _) = terms.map_err(RefusedRequest::ours)?;
        let author = Chooser::Author { terms: &terms, at: calendar::now(), by: &by };
        choice::choose(asked.queue.folder(), &bot, author)?;
        audit::add_of_participant(asked.queue.folder(), &by, "choose", &bot.to_string());
        Ok(bot)
    })
    .await?;
    Ok(match format {
        AnswerFormat::Page => Redirect::to("./").into_response(),
        AnswerFormat::Json => as_json(StatusCode::OK, &json!({ "chosen": bot })),
    })
}

/// Lets a browser work on one of the participant's bots, which may be a new one.
pub(super) async fn choose_bot(
    Extension(asked): Extension<RequestContext>,
    SignedInParticipant { by, .. }: SignedInParticipant,
    headers: HeaderMap,
    Form(VersionChoiceForm { bot }): Form<VersionChoiceForm>,
) -> Result<Response, RefusedRequest> {
    let bot = spelt_as_names(bot.trim());
    let chosen = bot.clone();
    blocking(move || claimed(&asked, &by.participant, &chosen)).await?;
    let there = Redirect::to("./").into_response();
    Ok(with_cookie(there, &headers, (client_address::BOT_COOKIE, &bot), KEPT))
}

/// Keeps the name of a bot for a participant, unless it is theirs.
pub(super) fn claimed(
    asked: &RequestContext,
    participant: &str,
    bot: &str,
) -> Result<(), RefusedRequest> {
    let (terms, _) = asked.queue.terms().map_err(RefusedRequest::ours)?;
    Ok(submissions::claim_bot(asked.queue.folder(), &terms.quotas, participant, bot)?)
}
