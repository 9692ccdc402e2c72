//! All tests of this package, in one program.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod cause;
mod conformance;
mod coup {
    mod classic;
    mod court;
    mod court_worlds;
    mod lenient;
    mod properties;
    mod protocol;
    mod random_games;
    mod replay;
    mod rules;
    mod scene;
    mod vectors;
    mod worlds;
}
mod durak {
    mod bouts;
    mod ends;
    mod properties;
    mod protocol;
    mod scene;
    mod worlds;
}
mod ended;
mod nature;
mod note;
mod own;
mod referee {
    mod clock;
    mod dealt;
    mod replay;
    mod sample;
    mod second_chances;
    mod steps;
}
mod refereed;
mod tablic {
    mod bounded;
    mod properties;
    mod rules;
    mod vectors;
}
mod texts;
mod toy;
mod voice;
