//! The routes of remote bots without a socket: foreign, wrong, long and endless requests.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, to_bytes};
use axum::http::Request;
use contest::playing::remote::MessageFromHub;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::hub::BotRequest;
use super::routes::{ClientEntrance, GamesOffer, KnownTokens, ReceivedBody, routes};
use super::shared_hub::SharedHub;
use crate::client_address::PeerAddress;

const ANNA: &str = "the-token-of-anna";
const BORIS: &str = "the-token-of-boris";

struct TestServer {
    hub: Arc<SharedHub>,
    entrance: Arc<ClientEntrance>,
    runtime: tokio::runtime::Runtime,
}

impl TestServer {
    fn new() -> TestServer {
        let hub = SharedHub::new();
        let offer = GamesOffer {
            game: "tablic".to_owned(),
            time_ms: 5_000,
            grace_ms: 60_000,
            games: 4,
            answer_bytes: 100,
        };
        let bots = [(ANNA, "anna"), (BORIS, "boris")];
        let bots =
            bots.map(|(token, bot)| (token.to_owned(), (bot.to_owned(), offer.clone()))).into();
        let entrance = ClientEntrance::of_match(Arc::clone(&hub), bots);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        TestServer { hub, entrance, runtime }
    }

    /// Begins a game of `anna` with a request.
    fn ask(&self, id: &str) -> Receiver<MessageFromHub> {
        let (sender, player) = channel();
        let minute = Duration::from_secs(60);
        let request = "a request\n".to_owned();
        let ask = BotRequest { request, time: minute, answer_bytes: 100, stderr_bytes: 100 };
        self.hub.change("anna", |hub| {
            let game = hub.begin("anna", minute, 4, sender);
            hub.ask("anna", game, id.to_owned(), ask, Instant::now());
        });
        player
    }

    fn post(&self, path: &str, token: &str, body: impl Into<Body>) -> (u16, Value) {
        let mut request = Request::post(format!("/remote/v1/{path}"))
            .header("authorization", format!("Bearer {token}"))
            .body(body.into())
            .expect("a request");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        request.extensions_mut().insert(PeerAddress(address));
        self.runtime.block_on(async {
            let Ok(answer) = routes(Arc::clone(&self.entrance)).oneshot(request).await;
            let status = answer.status().as_u16();
            let body = to_bytes(answer.into_body(), 1 << 20).await.expect("a body");
            (status, serde_json::from_slice(&body).expect("JSON"))
        })
    }
}

#[test]
fn a_client_gets_the_requests_of_its_own_bot_alone_and_answers_them() {
    let server = TestServer::new();
    let player = server.ask("r");
    let (status, taken) = server.post("next", BORIS, "{}");
    assert_eq!((status, &taken["requests"]), (200, &json!([])));
    let answer = json!({ "id": "r", "answer": "7C" }).to_string();
    assert_eq!(server.post("answer", ANNA, answer.clone()).0, 404, "before it was sent");
    let (_, taken) = server.post("next", ANNA, "{}");
    assert_eq!(taken["requests"][0]["request"], "a request\n");
    assert_eq!(server.post("answer", BORIS, answer.clone()).0, 404, "it is for another bot");
    assert!(player.try_recv().is_err(), "no answer counts yet");
    assert_eq!(server.post("answer", ANNA, answer.clone()), (200, json!({ "state": "taken" })));
    assert_eq!(server.post("answer", ANNA, answer), (200, json!({ "state": "repeated" })));
    let other = json!({ "id": "r", "answer": "8C" }).to_string();
    assert_eq!(server.post("answer", ANNA, other).0, 409);
    assert!(
        matches!(player.try_recv(), Ok(MessageFromHub::Answered { answer, .. }) if answer == "7C")
    );
    assert!(player.try_recv().is_err(), "one answer counts");
}

#[test]
fn bodies_that_are_wrong_or_too_long_are_refused_in_a_line_of_json() {
    let server = TestServer::new();
    let many = json!({ "working": vec!["r"; 1_001] }).to_string();
    let long = json!({ "id": "r", "answer": "x".repeat(256 << 10) }).to_string();
    let cases = [
        ("next", "", 400),
        ("next", "[", 400),
        ("next", r#"{"wiat":1}"#, 400),
        ("next", r#"{"wait":-1}"#, 400),
        ("next", r#"{"wait":1e300}"#, 400),
        ("next", &many, 400),
        ("answer", r#"{"id":"r"}"#, 400),
        ("answer", &long, 413),
    ];
    for (path, body, expected) in cases {
        let (status, answer) = server.post(path, ANNA, body.to_owned());
        assert_eq!(status, expected, "{path} {answer}");
        let why = answer["error"].as_str().expect("a reason");
        assert!(!why.is_empty() && !why.contains('\n'), "{why}");
    }
}

#[test]
fn a_body_that_does_not_come_to_its_end_is_not_waited_for() {
    let server = TestServer::new();
    let stream = tokio_stream::pending::<Result<Bytes, std::io::Error>>();
    let request = Request::new(Body::from_stream(stream));
    let moment = Duration::from_millis(1);
    let received = server.runtime.block_on(ReceivedBody::within(moment, request, &()));
    let refusal = received.read::<Value>().expect_err("nothing has come");
    assert_eq!(refusal.status.as_u16(), 408);
}

#[test]
fn tokens_that_were_never_right_are_counted_before_they_are_looked_up() {
    let tokens = KnownTokens::new();
    let from = IpAddr::from(Ipv4Addr::LOCALHOST);
    tokens.was_right(ANNA);
    let is_refused = |_: &u32| tokens.count("a-guess", from).is_err();
    assert!((0..100_000).any(|call| is_refused(&call)), "no guess was refused");
    assert!(tokens.count(ANNA, from).is_ok(), "others behind the same address play on");
    assert!(tokens.count("a-guess", IpAddr::from([127, 0, 0, 2])).is_ok());
}

#[test]
fn wrong_tokens_are_refused_never_shown_and_soon_too_many() {
    let server = TestServer::new();
    let answers: Vec<_> = (0..11).map(|_| server.post("next", "a-guess", "{}")).collect();
    assert!(answers[..10].iter().all(|(status, _)| *status == 401), "{answers:?}");
    assert_eq!(answers[10].0, 429);
    assert!(!format!("{answers:?}").contains("a-guess"), "{answers:?}");
    assert_eq!(
        server.post("next", ANNA, "{}").0,
        200,
        "the tokens of others are as good as before"
    );
}

#[test]
fn a_flood_of_calls_is_refused() {
    let server = TestServer::new();
    let is_refused = |_: &u32| server.post("next", ANNA, "{}").0 == 429;
    assert!((0..200_000).any(|call| is_refused(&call)), "no call was refused");
    assert_eq!(server.post("next", BORIS, "{}").0, 200, "another bot is not refused");
}
