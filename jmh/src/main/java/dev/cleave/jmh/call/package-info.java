/** What calls cost between their stub and the wire: the table of those that wait, and the waiting. */
@NullMarked
package dev.cleave.jmh.call;

import org.jspecify.annotations.NullMarked;
