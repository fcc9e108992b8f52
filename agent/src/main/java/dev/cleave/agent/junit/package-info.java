/** For the tests of users: a test method that runs as written and rewritten, and is compared. JUnit 5 is theirs. */
@NullMarked
package dev.cleave.agent.junit;

import org.jspecify.annotations.NullMarked;
