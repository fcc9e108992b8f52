/**
 * The agent that splits remote calls: {@link dev.cleave.agent.premain.CleaveAgent} is started by the JVM,
 * {@link dev.cleave.agent.cli.AgentCommands} does without running a program what {@code bin/cleave} asks for.
 */
package dev.cleave.agent;
