/** The entry of the agent: options, the class file transformer, the report at exit. */
@NullMarked
package dev.cleave.agent.premain;

import org.jspecify.annotations.NullMarked;
