/** Plans the calls of helpers: methods that make remote calls for their callers. */
@NullMarked
package dev.cleave.agent.plan.helper;

import org.jspecify.annotations.NullMarked;
