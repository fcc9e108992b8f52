/** The round trips of the CBS paper: calls that do nothing, through the broker and past it, beside a bare socket. */
@NullMarked
package dev.cleave.examples.rtt;

import org.jspecify.annotations.NullMarked;
