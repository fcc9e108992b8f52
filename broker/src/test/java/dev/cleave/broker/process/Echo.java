package dev.cleave.broker.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A program for tests: says what it is told to, and ends or stays. */
final class Echo {

    private Echo() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args[0]) {
            case "say" -> System.out.println(args[1]);
            case "chatter" -> {
                int lines = Integer.parseInt(args[1]);
                for (int i = 0; i < lines; i++) {
                    System.out.println("line " + i);
                }
                System.out.println("done");
                new BufferedReader(new InputStreamReader(System.in)).readLine();
            }
            case "fail" -> {
                System.err.println(args[1]);
                System.exit(3);
            }
            case "echo" -> {
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                System.out.println("ready");
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    System.out.println("heard " + line);
                }
            }
            case "stay" -> {
                Leash.attach();
                System.out.println("ready");
                new CountDownLatch(1).await();
            }
            case "parent" -> {
                Fleet fleet = Fleet.open(Path.of(args[1]), line -> {});
                JvmCommand command = new JvmCommand("child", List.of(), Echo.class.getName(), List.of("stay"));
                Member child = fleet.start(command, line -> {});
                child.awaitLine("ready", Duration.ofSeconds(30));
                System.out.println("child " + child.pid());
                new CountDownLatch(1).await();
            }
            default -> throw new AssertionError(args[0]);
        }
    }
}
