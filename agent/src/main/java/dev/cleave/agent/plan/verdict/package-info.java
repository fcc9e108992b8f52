/**
 * Says of a remote call what becomes of it: the outcome, or the rule that refused it with the line and the advice.
 */
@NullMarked
package dev.cleave.agent.plan.verdict;

import org.jspecify.annotations.NullMarked;
