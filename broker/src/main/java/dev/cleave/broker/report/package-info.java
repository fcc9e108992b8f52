/** Writes the output of commands: tables of text, records of JSON, and pages of HTML with charts. */
@NullMarked
package dev.cleave.broker.report;

import org.jspecify.annotations.NullMarked;
