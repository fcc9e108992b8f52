/** Writes the report: the verdict on each remote call, for people and programs. */
@NullMarked
package dev.cleave.agent.report;

import org.jspecify.annotations.NullMarked;
