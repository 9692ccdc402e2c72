//! Links of the site.

use std::fs;

use tests::bench::{Bench, run};

use super::build;

#[test]
fn every_link_leads_somewhere_and_one_that_does_not_is_found() {
    let bench = Bench::new();
    let Some((book, mut check)) = build(&bench) else { return };
    check.arg(&book);
    run(&mut check).with_code(0);
    let page = book.join("docs/play.html");
    let whole = fs::read_to_string(&page).expect("a page");
    for (wrong, why) in [
        (r#"<a href="plays.html">"#, "leads to no file"),
        (r#"<a href="../../../..">"#, "leads to no file"),
        (r##"<a href="#nowhere">"##, "leads to no `nowhere` in docs/play.html"),
        (r#"<a href="first-bot.html#in-latin">"#, "leads to no `in-latin` in docs/first-bot.html"),
        (r#"<img src="play.png">"#, "leads to no file"),
        (r#"<script src="https://example.org/a.js">"#, "leads to another host"),
        (r#"<a href="http://example.org/">"#, "leads to another host"),
        (r#"<a href="/docs/play.html">"#, "starts at the root"),
    ] {
        fs::write(&page, whole.replace("</main>", &format!("{wrong}</main>"))).expect("a page");
        let checked = run(&mut check);
        assert_eq!(checked.code, Some(1), "{wrong}: {checked:?}");
        assert!(checked.stdout.contains(why), "{wrong}: {checked:?}");
        assert!(checked.stdout.trim_end().ends_with(" 1 wrong"), "{wrong}: {checked:?}");
    }
}
