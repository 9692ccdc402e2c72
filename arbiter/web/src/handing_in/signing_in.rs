//! Tokens of participants: signing in, registering by a code, and a new token in place of the old one.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use serde::Deserialize;
use serde_json::json;

use super::answer::{Refusal, as_json};
use super::{HandingIn, LONGEST_FORM, RequestContext, in_thread, pages};
use crate::guest;
use conditions::bot::spelt_as_names;
use league::keys::{self, BadKey};
use league::participants::{self, NotInvited};
use league::token::Token;

/// The time for which a browser keeps the token, in seconds: 60 days.
pub(crate) const KEPT: u64 = 60 * 24 * 60 * 60;

/// Gives a browser the cookie.
pub(super) async fn sign_in(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let Ok(body) = axum::body::to_bytes(body, LONGEST_FORM).await else {
        let why = "the form is too long";
        return Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, why).told(&headers);
    };
    let Some(token) = token_in(&body) else {
        let why = "enter your token";
        return Refusal::new(StatusCode::BAD_REQUEST, why).told(&headers);
    };
    match state.with_token(token.clone(), asked.address).await {
        Ok(_) => with_cookie(Redirect::to("./").into_response(), &headers, &token, KEPT),
        Err(refusal) => refusal.told(&headers),
    }
}

/// Takes the cookie back.
pub(super) async fn sign_out(headers: HeaderMap) -> Response {
    with_cookie(Redirect::to("./").into_response(), &headers, "", 0)
}

/// A person who registers.
#[derive(Debug, Deserialize)]
pub(super) struct Registration {
    code: String,
    name: String,
}

/// Registers a participant by the code of the league. The token is shown once.
pub(super) async fn register(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    headers: HeaderMap,
    Form(Registration { code, name }): Form<Registration>,
) -> Response {
    if let Err(refusal) = state.count_registration(asked.address) {
        return refusal.told(&headers);
    }
    let name = spelt_as_names(name.trim());
    let new = async {
        let (queue, wanted) = (Arc::clone(&asked.queue), name.clone());
        let made = in_thread(move || Ok(keys::register(queue.folder(), &code, &wanted)));
        match made.await? {
            Ok(token) => Ok(token),
            Err(wrong @ BadKey::WrongCode) => {
                state.count_wrong(asked.address)?;
                Err(Refusal::new(StatusCode::UNAUTHORIZED, wrong.to_string()))
            }
            Err(used_up @ BadKey::UsedUp) => {
                Err(Refusal::new(StatusCode::FORBIDDEN, used_up.to_string()))
            }
            Err(BadKey::NotInvited(problem)) => Err(refused(&problem)),
            Err(problem) => Err(Refusal::ours(&problem)),
        }
    };
    match new.await {
        Ok(token) => shown(&headers, &name, &token),
        Err(refusal) => Refusal::told(refusal, &headers),
    }
}

/// Gives a participant a new token in place of the one of the request, which is void from then on.
pub(super) async fn renew(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    headers: HeaderMap,
) -> Response {
    let new = async {
        let name = state.signed_in(&asked).await?;
        let (queue, old) = (Arc::clone(&asked.queue), asked.token.unwrap_or_default());
        let made = in_thread(move || {
            participants::renew(queue.folder(), &old).map_err(|problem| refused(&problem))
        });
        Ok((name, made.await?))
    };
    match new.await {
        Ok((name, token)) => shown(&headers, &name, &token),
        Err(refusal) => Refusal::told(refusal, &headers),
    }
}

fn refused(problem: &NotInvited) -> Refusal {
    match problem {
        NotInvited::BadName(_) | NotInvited::Unclear(..) => {
            Refusal::new(StatusCode::BAD_REQUEST, problem.to_string())
        }
        NotInvited::SameName(..)
        | NotInvited::LooksLike(..)
        | NotInvited::Reserved(_)
        | NotInvited::Taken(_) => Refusal::new(StatusCode::CONFLICT, problem.to_string()),
        NotInvited::TooMany => Refusal::new(StatusCode::FORBIDDEN, problem.to_string()),
        _ => Refusal::ours(problem),
    }
}

/// Shows a new token, and signs a browser in with it.
fn shown(headers: &HeaderMap, name: &str, token: &Token) -> Response {
    let token = token.to_string();
    let response = match guest::wants_page(headers) {
        true => pages::new_token(name, &token).into_response(),
        false => as_json(StatusCode::OK, &json!({ "participant": name, "token": token })),
    };
    with_cookie(response, headers, &token, KEPT)
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

/// Adds the cookie for this part of the site to an answer.
pub(crate) fn with_cookie(
    mut response: Response,
    headers: &HeaderMap,
    token: &str,
    seconds: u64,
) -> Response {
    // Without a path a cookie is for what lies beside the address that has set it, behind any proxy.
    let secure = if guest::is_secure(headers) { "; Secure" } else { "" };
    let name = guest::COOKIE;
    let cookie = format!("{name}={token}; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            response
        }
        Err(error) => Refusal::ours(&error).told(headers),
    }
}
