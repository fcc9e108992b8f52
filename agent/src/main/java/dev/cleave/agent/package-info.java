/**
 * The agent that splits remote calls: {@link dev.cleave.agent.premain.CleaveAgent} is started by the JVM,
 * {@link dev.cleave.agent.cli.Main} is the command line.
 */
package dev.cleave.agent;
