//! Connections, with bounds for everything of which a client could use too much.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::api::cors::{self, CrossOriginMarker};
use crate::client_address::{self, PeerAddress};
use crate::csrf::{self, ServerAudience, ServerNames};
use crate::embedding::EmbeddingMarker;
use crate::page;
use crate::published_log::ARCHIVE;
use contest::stop::StopFlag;
use report::html::layout::SERVED;

/// The most connections that are open at once; others wait.
const CONNECTIONS: usize = 1_000;
/// The most connections of one address, unless it is this machine, where a proxy may be: a class behind one
/// address has enough.
const OF_ONE: usize = 500;
/// The most requests of one visitor that are answered at once, streams of events among them. A proxy on this
/// machine names the address of each visitor; a class behind one address has enough.
const REQUESTS_OF_ONE: usize = 200;
/// The time after which a visitor with too many requests tries again, in seconds.
const RETRY: &str = "10";
/// The longest time for the head of a request, and for an idle connection.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// The longest time for which a client may take no byte of an answer.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 16 << 10;
/// The pause between two looks for the end.
const PAUSE: Duration = Duration::from_millis(100);
/// The pause after the machine has run out of something.
const REST: Duration = Duration::from_millis(50);
/// The longest time for a request with a body: longer than for a file that is handed in.
const BODY_TIME: Duration = Duration::from_secs(180);
/// The part of a policy by which no page may show another one in a frame.
const NO_ANCESTORS: &str = "frame-ancestors 'none'";

/// The number of open connections or requests, by address.
#[derive(Debug, Default)]
struct ConnectionCounts(Mutex<HashMap<IpAddr, usize>>);

/// An open connection or request, counted until it is dropped.
#[derive(Debug)]
struct CountedConnection {
    all: Arc<ConnectionCounts>,
    address: IpAddr,
}

impl ConnectionCounts {
    /// Counts one more, unless its address has as many as it may.
    fn enter(
        all: &Arc<ConnectionCounts>,
        address: IpAddr,
        most: usize,
    ) -> Option<CountedConnection> {
        let is_own = address.to_canonical().is_loopback();
        let address = client_address::network(address);
        let mut counts = all.counts();
        let count = counts.entry(address).or_insert(0);
        if *count >= most && !is_own {
            return None;
        }
        *count += 1;
        Some(CountedConnection { all: Arc::clone(all), address })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut counts = self.all.counts();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// Serves these routes until the program is asked to stop.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    routes: Router,
    names: ServerNames,
    ancestors: Option<HeaderValue>,
    stop: &'static StopFlag,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let reach = names.reach();
    let names = Arc::new(names);
    let routes = routes
        .layer(middleware::from_fn(csrf::check))
        .layer(middleware::from_fn(move |request, next| {
            csrf::check_host(Arc::clone(&names), request, next)
        }))
        .layer(middleware::from_fn(page::finished))
        .layer(middleware::from_fn(move |request, next| {
            protected((ancestors.clone(), reach), request, next)
        }))
        // Streams of events are left as they are, and archives, whose compression would take time from games.
        .layer(CompressionLayer::new().compress_when(compressible()));
    let visitors = Arc::new(ConnectionCounts::default());
    let routes = routes.layer(middleware::from_fn(move |request, next| {
        counted(Arc::clone(&visitors), request, next)
    }));
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let guests = Arc::new(ConnectionCounts::default());
    loop {
        let accepted = tokio::select! {
            accepted = next(&listener, &places) => accepted,
            () = tokio::time::sleep(PAUSE) => None,
        };
        if stop.set().load(Ordering::SeqCst) {
            return Ok(());
        }
        let Some((stream, address, place)) = accepted else { continue };
        // One connection too many is closed at once.
        let Some(guest) = ConnectionCounts::enter(&guests, address.ip(), OF_ONE) else { continue };
        let routes = routes.clone();
        tokio::spawn(async move {
            // A connection that breaks is the affair of who has opened it.
            let _ = connection(stream, address, routes).await;
            drop((place, guest));
        });
    }
}

fn compressible() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new(ARCHIVE))
}

/// The next connection, once there is a place for it.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, address)) => Some((stream, address, place)),
        Err(_) => {
            // Too many files are open, say; those that are served end by and by.
            tokio::time::sleep(REST).await;
            None
        }
    }
}

async fn connection(
    stream: TcpStream,
    address: SocketAddr,
    routes: Router,
) -> Result<(), hyper::Error> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(ANSWER_TIME));
    let answer = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(PeerAddress(address));
        let routes = routes.clone();
        async move { Ok::<_, Infallible>(routes.oneshot(request).await.unwrap_or_else(never)) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), answer)
        .await
}

fn never<T>(never: Infallible) -> T {
    match never {}
}

/// Counts a request for its visitor until its answer is sent, and refuses one too many.
async fn counted(visitors: Arc<ConnectionCounts>, request: Request, next: Next) -> Response {
    let address = client_address::address(request.headers(), request.extensions());
    let Some(guest) = ConnectionCounts::enter(&visitors, address, REQUESTS_OF_ONE) else {
        let why = "too many open connections from your address: close some pages";
        let headers = [(header::RETRY_AFTER, RETRY)];
        let refusal = match cors::may_be_interface(request.uri().path()) {
            true => Json(json!({ "error": why })).into_response(),
            false => format!("{why}\n").into_response(),
        };
        return (StatusCode::TOO_MANY_REQUESTS, headers, refusal).into_response();
    };
    next.run(request).await.map(|body| Body::new(BodyWithConnection { body, _guest: guest }))
}

/// The body of an answer that is counted until it is sent.
#[derive(Debug)]
struct BodyWithConnection {
    body: Body,
    _guest: CountedConnection,
}

impl HttpBody for BodyWithConnection {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Ends requests whose bodies do not come, and tells browsers with each answer what pages may do.
async fn protected(
    (ancestors, reach): (Option<HeaderValue>, ServerAudience),
    request: Request,
    next: Next,
) -> Response {
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = match only_reads {
        true => next.run(request).await,
        false => match tokio::time::timeout(BODY_TIME, next.run(request)).await {
            Ok(response) => response,
            Err(_) => (StatusCode::REQUEST_TIMEOUT, "the request body timed out\n").into_response(),
        },
    };
    let around = ancestors.filter(|_| response.extensions().get::<EmbeddingMarker>().is_some());
    let is_for_all = response.extensions().get::<CrossOriginMarker>().is_some();
    let headers = response.headers_mut();
    let readers = match (is_for_all, reach) {
        (true, ServerAudience::Others) => "cross-origin",
        (true, ServerAudience::ThisMachine) => {
            // Any page that is open on this machine could read it.
            cors::unshare(headers);
            "same-origin"
        }
        (false, _) => "same-origin",
    };
    let around = match &around {
        Some(ancestors) => ancestors.to_str().unwrap_or(NO_ANCESTORS),
        None => NO_ANCESTORS,
    };
    // This one has no form for other origins, and a browser that knows the policy needs it no more.
    if around == NO_ANCESTORS {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    if let Ok(policy) = HeaderValue::from_str(&format!("{SERVED}; {around}")) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With none at all, browsers do not say that a form comes from here.
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), readers),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_does_not_take_all_places() {
        let all = Arc::new(ConnectionCounts::default());
        let address = IpAddr::from([192, 0, 2, 1]);
        let mut guests: Vec<_> =
            (0..OF_ONE).map(|_| ConnectionCounts::enter(&all, address, OF_ONE)).collect();
        assert!(guests.iter().all(Option::is_some));
        assert!(ConnectionCounts::enter(&all, address, OF_ONE).is_none());
        assert!(
            ConnectionCounts::enter(&all, IpAddr::from([192, 0, 2, 2]), OF_ONE).is_some(),
            "others have places"
        );
        guests.pop();
        assert!(
            ConnectionCounts::enter(&all, address, OF_ONE).is_some(),
            "one that ends leaves its place"
        );
        guests.clear();
        assert!(all.counts().is_empty(), "who is gone is forgotten");
        // A proxy on this machine speaks for many.
        let proxy = IpAddr::from([127, 0, 0, 1]);
        let guests: Vec<_> =
            (0..=OF_ONE).map(|_| ConnectionCounts::enter(&all, proxy, OF_ONE)).collect();
        assert!(guests.iter().all(Option::is_some));
        // A network of IPv6 is one address.
        let member = |last| IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]);
        let guests: Vec<_> =
            (0..OF_ONE).map(|_| ConnectionCounts::enter(&all, member(1), OF_ONE)).collect();
        assert!(guests.iter().all(Option::is_some));
        assert!(ConnectionCounts::enter(&all, member(2), OF_ONE).is_none());
    }
}
