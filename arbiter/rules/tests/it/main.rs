//! All tests of this package, in one program.

mod conformance;
mod counts;
mod coup;
mod durak;
mod nature;
mod referee;
mod refereed;
mod tablic;
mod texts;
mod toy;
