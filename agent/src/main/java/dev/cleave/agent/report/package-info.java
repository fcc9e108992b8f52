/** Says what became of each remote call, in words for people. */
@NullMarked
package dev.cleave.agent.report;

import org.jspecify.annotations.NullMarked;
