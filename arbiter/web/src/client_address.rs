//! The sender of a request: its address and its token.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::{Extensions, HeaderMap, header};

pub(super) const COOKIE: &str = "token";
/// The cookie with the bot that a participant with several works on.
pub(super) const BOT_COOKIE: &str = "bot";
/// The longest token that is looked at, in bytes.
const LONGEST: usize = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PeerAddress(pub(super) SocketAddr);

/// The address of a client, or that of its network.
///
/// A proxy on the same machine is believed: the last address of `X-Forwarded-For` is its client's. A network
/// of IPv6 counts as one address, since each of its members has as many as it likes.
pub(super) fn address(headers: &HeaderMap, extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<PeerAddress>().map(|client| client.0.ip().to_canonical());
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        last.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
    };
    let address = match peer.is_loopback() {
        true => forwarded().map_or(peer, |address| address.to_canonical()),
        false => peer,
    };
    network(address)
}

/// An address of IPv4, or the network of one of IPv6.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        v4 => v4,
    }
}

/// The token of a request, from the header `Authorization` or else from the cookie.
pub(super) fn token(headers: &HeaderMap) -> Option<&str> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let given = text(header::AUTHORIZATION).map(|value| {
        // Another scheme gives no token, which is a wrong one.
        let scheme =
            value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        scheme.map_or("", |(_, token)| token.trim())
    });
    given.or_else(|| cookie(headers, COOKIE)).map(|token| token.get(..LONGEST).unwrap_or(token))
}

pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?.split(';');
    let mut cookies = cookies.filter_map(|it| it.trim().split_once('='));
    cookies.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Returns true for a request that came by TLS to a proxy on the same machine.
pub(super) fn is_secure(headers: &HeaderMap) -> bool {
    headers.get("x-forwarded-proto").is_some_and(|value| value == "https")
}

/// Returns true if the answer is to be a page. Programs name a token, or ask for JSON; all else may be a
/// browser, which must never take anything else for a page.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    let is_program =
        accept.contains("application/json") || headers.contains_key(header::AUTHORIZATION);
    accept.contains("text/html") || !is_program
}

#[cfg(test)]
mod tests {
    use super::*;

    type Headers<'a> = &'a [(&'a str, &'a str)];

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().expect("a value"));
        }
        headers
    }

    #[test]
    fn a_proxy_on_this_machine_is_believed_and_no_one_else() {
        let cases: [(&str, Headers<'_>, &str); 7] = [
            ("127.0.0.1:1", &[], "127.0.0.1"),
            ("127.0.0.1:1", &[("x-forwarded-for", "9.9.9.9, 1.2.3.4")], "1.2.3.4"),
            (
                "127.0.0.1:1",
                &[("x-forwarded-for", "9.9.9.9"), ("x-forwarded-for", "1.2.3.4")],
                "1.2.3.4",
            ),
            ("[::1]:1", &[("x-forwarded-for", "2001:db8:1:2:3:4:5:6")], "2001:db8:1:2::"),
            ("127.0.0.1:1", &[("x-forwarded-for", "what?")], "127.0.0.1"),
            ("5.6.7.8:1", &[("x-forwarded-for", "1.2.3.4")], "5.6.7.8"),
            ("[::ffff:5.6.7.8]:1", &[("x-forwarded-for", "1.2.3.4")], "5.6.7.8"),
        ];
        for (peer, lines, expected) in cases {
            let mut extensions = Extensions::new();
            extensions.insert(PeerAddress(peer.parse().expect("an address")));
            assert_eq!(address(&headers(lines), &extensions).to_string(), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_token_is_that_of_the_header_or_of_the_cookie() {
        let cases: [(Headers<'_>, Option<&str>); 7] = [
            (&[], None),
            (&[("authorization", "Bearer abc")], Some("abc")),
            (&[("authorization", "bearer  abc ")], Some("abc")),
            (&[("authorization", "Basic abc"), ("cookie", "token=def")], Some("")),
            (&[("cookie", "a=b; token=def; c=d")], Some("def")),
            (&[("cookie", "a=b")], None),
            (&[("authorization", "Bearer abc"), ("cookie", "token=def")], Some("abc")),
        ];
        for (lines, expected) in cases {
            assert_eq!(token(&headers(lines)), expected, "{lines:?}");
        }
    }
}
