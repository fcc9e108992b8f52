package samples.chat;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;

public class ChatClient implements Listener {

    private final String name;
    private final List<String> heard = new ArrayList<>();

    public ChatClient(String name) {
        this.name = name;
    }

    @Override
    public synchronized void heard(String from, String text) {
        heard.add(name + " heard " + from + ": " + text);
    }

    private synchronized void print() {
        heard.forEach(System.out::println);
        heard.clear();
    }

    /** With a name behind the port: joins, and dies when the input ends. */
    public static void main(String[] args) throws Exception {
        Chat chat = (Chat) Naming.lookup("//localhost:" + args[0] + "/chat");
        if (args.length > 1) {
            ChatClient mortal = new ChatClient(args[1]);
            UnicastRemoteObject.exportObject(mortal, 0);
            chat.join(args[1], mortal);
            System.out.println("joined");
            System.in.read();
            Runtime.getRuntime().halt(1);
        }
        ChatClient ann = new ChatClient("ann");
        ChatClient ben = new ChatClient("ben");
        Listener annStub = (Listener) UnicastRemoteObject.exportObject(ann, 0);
        UnicastRemoteObject.exportObject(ben, 0);
        chat.join("ann", annStub);
        chat.join("ben", ben);
        System.out.println("heard by " + chat.say("ann", "hello"));
        System.out.println("heard by " + chat.say("ben", "hi"));
        ann.print();
        ben.print();
        List<String> awaited = new ArrayList<>();
        Thread waiter = new Thread(() -> {
            try {
                awaited.add(chat.await("news"));
            } catch (RemoteException | InterruptedException e) {
                awaited.add(e.toString());
            }
        });
        waiter.start();
        System.out.println("heard by " + chat.say("ann", "news of the day"));
        waiter.join();
        System.out.println("awaited " + awaited);
        ben.print();

        Process mortal =
                new ProcessBuilder(command(args[0])).redirectErrorStream(false).start();
        BufferedReader lines = new BufferedReader(new InputStreamReader(mortal.getInputStream()));
        System.out.println("carl " + lines.readLine() + ", members " + chat.members());
        System.out.println("heard by " + chat.say("ann", "are you all there"));
        mortal.destroyForcibly().waitFor();
        System.out.println("heard by " + chat.say("ann", "and now") + ", members " + chat.members());
        ben.print();

        System.out.println("left " + chat.leave(ben) + ", again " + chat.leave(ben) + ", ann " + chat.leave(annStub));
        System.out.println("members " + chat.members());
        UnicastRemoteObject.unexportObject(ann, true);
        UnicastRemoteObject.unexportObject(ben, true);
    }

    /** This program once more, started as this process was. */
    private static List<String> command(String port) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChatClient.class.getName(), port, "carl"));
        return command;
    }
}
