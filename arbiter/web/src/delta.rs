//! Sends a text to a reader who may have it: not at all if it is the same, and of a page only the sections
//! that have changed.
//!
//! A script sends back the digests of a page: `ETag` stands for the whole, `Arbiter-Parts` for each section,
//! as `standings=0123456789abcdef,bots=…`. A section that is the same comes without its content, with
//! `data-same`.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rules::Digest;

/// The digests of sections, in requests and in answers.
const PARTS: HeaderName = HeaderName::from_static("arbiter-parts");
/// The hexadecimal digits of a digest that are sent.
const DIGITS: usize = 16;
/// The beginning and the end of a section. No other text of a page holds these: text of strangers is escaped.
const SECTION: &str = "<section";
const END: &str = "</section>";

/// The time after which a browser asks again before it shows its copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CacheTime {
    /// None: it asks each time.
    Asked,
    /// A minute.
    ForAMinute,
}

#[derive(Debug, PartialEq, Eq)]
struct PageSection<'a> {
    name: &'a str,
    /// Its beginning and its end in the page.
    from: usize,
    to: usize,
}

/// Sends a text to a reader who may have it.
pub(super) fn text(
    asked: &HeaderMap,
    kind: &'static str,
    text: Bytes,
    kept: CacheTime,
) -> Response {
    let kept = match kept {
        CacheTime::Asked => "no-cache",
        CacheTime::ForAMinute => "max-age=60",
    };
    let mut headers = HeaderMap::new();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.insert(header::VARY, HeaderValue::from_name(PARTS));
    // It is the same text, however it is packed.
    let tag = format!("W/\"{}\"", short(&text));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if asked.get(header::IF_NONE_MATCH).is_some_and(|known| names(known, &tag)) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    match (asked.get(PARTS), std::str::from_utf8(&text)) {
        (Some(known), Ok(page)) if kind.starts_with("text/html") => {
            let sections = sections(page);
            if let Ok(told) = HeaderValue::from_str(&section_digests(page, &sections)) {
                headers.insert(PARTS, told);
            }
            let known = known.to_str().unwrap_or_default();
            (headers, without_known(page, &sections, known)).into_response()
        }
        _ => (headers, text).into_response(),
    }
}

/// Returns true if the condition of a request names this tag.
fn names(condition: &HeaderValue, tag: &str) -> bool {
    let condition = condition.to_str().unwrap_or_default();
    condition.split(',').any(|known| known.trim() == tag)
}

fn short(text: &[u8]) -> String {
    let mut digest = Digest::hash(text).to_string();
    digest.truncate(DIGITS);
    digest
}

/// The outermost sections of a page, in their order.
fn sections(page: &str) -> Vec<PageSection<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = page[at..].find(SECTION) {
        let from = at + next;
        let Some(to) = end_of(page, from) else { break };
        let tag = page[from..].split_once('>').map_or("", |(tag, _)| tag);
        let name = tag.split_once("id=\"").and_then(|(_, rest)| rest.split_once('"'));
        if let Some((name, _)) = name {
            found.push(PageSection { name, from, to });
        }
        at = to;
    }
    found
}

fn end_of(page: &str, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = from;
    loop {
        let end = at + page[at..].find(END)?;
        match page[at..end].find(SECTION) {
            Some(next) => {
                depth += 1;
                at += next + SECTION.len();
            }
            None => {
                depth -= 1;
                at = end + END.len();
                if depth == 0 {
                    return Some(at);
                }
            }
        }
    }
}

fn section_digests(page: &str, sections: &[PageSection<'_>]) -> String {
    let each = sections.iter().map(|it| format!("{}={}", it.name, section_digest(page, it)));
    each.collect::<Vec<_>>().join(",")
}

fn section_digest(page: &str, section: &PageSection<'_>) -> String {
    short(&page.as_bytes()[section.from..section.to])
}

/// The page, without the content of the sections that the reader has.
fn without_known(page: &str, sections: &[PageSection<'_>], known: &str) -> String {
    let known: BTreeMap<&str, &str> =
        known.split(',').filter_map(|part| part.trim().split_once('=')).collect();
    let mut sent = String::with_capacity(page.len());
    let mut at = 0;
    for section in sections {
        if known.get(section.name).is_some_and(|known| *known == section_digest(page, section)) {
            sent.push_str(&page[at..section.from]);
            sent.push_str(&format!("<section id=\"{}\" data-same></section>", section.name));
            at = section.to;
        }
    }
    sent.push_str(&page[at..]);
    sent
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<main><section id=\"a\" class=\"x\">1<section id=\"b\">2</section></section>\
                        <section class=\"y\" id=\"c\">3</section><p>4</p></main>";

    #[test]
    fn only_sections_that_have_changed_are_sent() {
        let found = sections(PAGE);
        assert_eq!(found.iter().map(|it| it.name).collect::<Vec<_>>(), ["a", "c"]);
        let known = section_digests(PAGE, &found);
        let expected = "<main><section id=\"a\" data-same></section>\
                        <section id=\"c\" data-same></section><p>4</p></main>";
        assert_eq!(without_known(PAGE, &found, &known), expected);
        // One that has changed comes whole.
        let changed = PAGE.replace('2', "5");
        let expected = "<main><section id=\"a\" class=\"x\">1<section id=\"b\">5</section></section>\
                        <section id=\"c\" data-same></section><p>4</p></main>";
        assert_eq!(without_known(&changed, &sections(&changed), &known), expected);
        for nothing in ["", "a", "a=,c=0", "=,="] {
            assert_eq!(without_known(PAGE, &found, nothing), PAGE, "{nothing}");
        }
    }

    #[test]
    fn a_page_that_is_cut_off_has_no_such_section() {
        for length in 0..PAGE.len() {
            let found = sections(&PAGE[..length]);
            assert!(found.iter().all(|it| it.to <= length), "{found:?}");
        }
    }

    #[test]
    fn what_a_reader_has_is_not_sent_again() {
        let sent = |headers: &HeaderMap| {
            text(
                headers,
                "text/html; charset=utf-8",
                Bytes::from_static(PAGE.as_bytes()),
                CacheTime::Asked,
            )
        };
        let first = sent(&HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        assert!(first.headers().get(PARTS).is_none(), "only scripts take parts");
        let mut known = HeaderMap::new();
        known.insert(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone());
        assert_eq!(sent(&known).status(), StatusCode::NOT_MODIFIED);
        known.insert(header::IF_NONE_MATCH, HeaderValue::from_static("W/\"0\", W/\"1\""));
        assert_eq!(sent(&known).status(), StatusCode::OK);
    }
}
