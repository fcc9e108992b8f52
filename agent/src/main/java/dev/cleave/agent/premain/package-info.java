/** What the JVM starts: options, the class file transformer, the report at exit. */
@NullMarked
package dev.cleave.agent.premain;

import org.jspecify.annotations.NullMarked;
