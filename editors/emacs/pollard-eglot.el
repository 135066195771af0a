;;; pollard-eglot.el --- Pollard's language server in Eglot  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Connects the commands of pollard.el to the server through Eglot.  It starts
;; the server and runs its commands, applies its edits so that a reduction is
;; one undo step, shows the progress in the mode line, and asks the server's
;; questions.
;;
;; Eglot gives each buffer one server.  The methods below are specialised to
;; the class `pollard-eglot-server', so they do not affect other servers.

;;; Code:

(require 'cl-lib)
(require 'diff)
(require 'easymenu)
(require 'eglot)
(require 'jsonrpc)
(require 'subr-x)

(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function eglot--pos-to-lsp-position "eglot")
(declare-function eglot--path-to-uri "eglot")
(declare-function eglot--uri-to-path "eglot")
(declare-function eglot-path-to-uri "eglot")
(declare-function eglot-uri-to-path "eglot")
(declare-function eglot--signal-textDocument/didChange "eglot")
(declare-function jsonrpc--process "jsonrpc")

(defgroup pollard nil
  "Shrink a file that makes a program fail."
  :group 'tools
  :prefix "pollard-")

(defcustom pollard-server-command '("pollard" "serve")
  "The program of Pollard's language server, and its arguments."
  :type '(repeat string))

(defcustom pollard-status-seconds 30
  "For how many seconds the mode line shows a reduction's outcome; nil: for ever."
  :type '(choice (const :tag "Until the next reduction" nil) number))

(defvar pollard-checked-functions nil
  "Functions to call with the parameters of each `pollard/checked', a plist.")

(defvar-local pollard-progress nil
  "The parameters of the buffer's last `pollard/progress', a plist.")

(defvar-local pollard-status nil
  "The mode line's text on the buffer's reduction, nil for none.")
(put 'pollard-status 'risky-local-variable t)

(defvar-local pollard-eglot--group nil
  "The undo step that the next edit joins.
A cons of a change group and the buffer's tick after its last edit.")

(defvar-local pollard-eglot--timer nil "The timer that clears `pollard-status'.")

(defvar pollard-eglot--buffers (make-hash-table :test #'equal)
  "The connected buffers, by URI.")

(defclass pollard-eglot-server (eglot-lsp-server) ()
  :documentation "Pollard's language server.")


;;; The connection

;;;###autoload
(defun pollard-eglot-setup (&rest modes)
  "Make Pollard the language server of buffers in MODES.
Eglot gives a buffer one server, so call this for modes in which you use no
other.  In other modes use \\[pollard-eglot]."
  (dolist (mode modes)
    (setf (alist-get mode eglot-server-programs) #'pollard-eglot--contact)))

(defun pollard-eglot--contact (&rest _)
  "Return the server's class and command for Eglot."
  (let ((program (car pollard-server-command)))
    (unless (executable-find program t)
      (user-error "Pollard's server %s is not found; install it with `pip install \
pollard', or set `pollard-server-command'" program)))
  (cons 'pollard-eglot-server pollard-server-command))

;;;###autoload
(defun pollard-eglot ()
  "Connect the buffer to Pollard, in place of its language server.
This affects all buffers of its mode in its project.  \\[eglot] connects them
to the usual server again."
  (interactive)
  (unless buffer-file-name
    (user-error "Pollard can reduce buffers that visit a file; save this one first"))
  (when-let ((server (eglot-current-server)))
    (eglot-shutdown server))
  (let ((eglot-server-programs `((,major-mode . pollard-eglot--contact)))
        (eglot-sync-connect t)
        (current-prefix-arg nil))
    (call-interactively #'eglot)))

(defun pollard-eglot-p ()
  "Return whether the buffer is connected to Pollard."
  (and (eglot-managed-p)  ; without this, Eglot would return a server that is shutting down
       (when-let ((server (eglot-current-server)))
         (object-of-class-p server 'pollard-eglot-server))))

(defun pollard-eglot-ensure ()
  "Connect the buffer to Pollard if necessary.
If it has another server, ask the user first."
  (unless (pollard-eglot-p)
    (unless (or (not (eglot-current-server))
                (y-or-n-p "Eglot gives a buffer one language server; \
use Pollard in place of this one? "))
      (user-error "The buffer keeps its language server"))
    (pollard-eglot)
    (unless (pollard-eglot-p)
      (user-error "Pollard's server did not start; see the buffer *Messages*"))))

(defun pollard-eglot-uri ()
  "Return the buffer's URI, as Eglot sends it."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun pollard-eglot-folder-uri (folder)
  "Return the URI of FOLDER, as Eglot sends it."
  (let ((path (directory-file-name (expand-file-name folder))))
    (if (fboundp 'eglot-path-to-uri) (eglot-path-to-uri path) (eglot--path-to-uri path))))

(defun pollard-eglot--buffer (uri)
  "Return the live buffer with URI, nil if there is none."
  (let ((buffer (gethash uri pollard-eglot--buffers)))
    (and (buffer-live-p buffer) buffer)))

(defun pollard-eglot--publish ()
  "Send the buffer's text to the server now; Eglot would wait until idle."
  (when (fboundp 'eglot--signal-textDocument/didChange)
    (eglot--signal-textDocument/didChange)))

(defconst pollard-eglot--editing-commands
  '("pollard.reduce" "pollard.reduceOther" "pollard.restore")
  "The commands of the server that change the buffer.")

(defun pollard-eglot-request (command &rest arguments)
  "Run the server's COMMAND on the buffer, with ARGUMENTS, a plist.
A :uri in ARGUMENTS takes the place of the buffer's.  Return its result, a
plist.  If the server refuses, signal a `user-error' with its message.  If
COMMAND would change the buffer and that is read-only, signal that."
  (unless (or (plist-member arguments :uri)
              (not (member command pollard-eglot--editing-commands)))
    (barf-if-buffer-read-only))
  (pollard-eglot-ensure)
  (pollard-eglot--publish)
  (eglot-execute-command (eglot-current-server) command
                         (vector (if (plist-member arguments :uri) arguments
                                   `(:uri ,(pollard-eglot-uri) ,@arguments)))))

(cl-defmethod eglot-execute-command ((server pollard-eglot-server) command arguments)
  "Run COMMAND of SERVER with ARGUMENTS, and return the result.
The `jsonrpc-request' of Emacs 28 leaves the process filter as soon as it has
the response.  A question that arrived together with it would wait there for the
server's next message, while the server waits for the answer."
  (let (outcome)
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command (format "%s" command) :arguments arguments)
     :success-fn (lambda (result) (setq outcome (list result)))
     :error-fn (lambda (oops) (setq outcome (list nil (plist-get oops :message))))
     :timeout-fn (lambda () (setq outcome '(nil "The server does not answer; see its log"))))
    (while (not outcome)
      (accept-process-output nil 0.1))
    (when (cdr outcome)
      (user-error "Pollard: %s" (cadr outcome)))
    (car outcome)))

(defun pollard-eglot-range (beg end)
  "Return the region from BEG to END as an LSP range."
  (list :start (eglot--pos-to-lsp-position beg)
        :end (eglot--pos-to-lsp-position end)))

(defun pollard-eglot--on-managed ()
  "Remember a buffer that was connected; clear the status of a disconnected one."
  (cond ((pollard-eglot-p)
         (puthash (pollard-eglot-uri) (current-buffer) pollard-eglot--buffers))
        (pollard-progress
         (pollard-eglot--clear (current-buffer)))))

(add-hook 'eglot-managed-mode-hook #'pollard-eglot--on-managed)


;;; Edits

(cl-defmethod eglot-handle-request
  ((_server pollard-eglot-server) (_method (eql 'workspace/applyEdit))
   &key edit &allow-other-keys)
  "Apply EDIT without asking: the user started the reduction, and can undo it."
  (let* ((changes (append (plist-get edit :documentChanges) nil))
         (uri (plist-get (plist-get (car changes) :textDocument) :uri))
         (buffer (pollard-eglot--buffer uri)))
    (cl-progv '(eglot-confirm-server-edits eglot-confirm-server-initiated-edits)
        '(nil nil)
      (if buffer
          (with-current-buffer buffer
            (pollard-eglot--as-one-step (lambda () (cl-call-next-method))))
        (cl-call-next-method)))))

(defun pollard-eglot--as-one-step (change)
  "Call CHANGE so that its edits join the undo step of Pollard's previous ones.
After a change by the user, they begin a new step."
  (unless (eql (cdr pollard-eglot--group) (buffer-chars-modified-tick))
    (undo-boundary)
    (setq pollard-eglot--group (list (prepare-change-group))))
  (prog1 (let ((inhibit-message t)
               (message-log-max nil))
           (funcall change))
    (undo-amalgamate-change-group (car pollard-eglot--group))
    (undo-boundary)
    (setcdr pollard-eglot--group (buffer-chars-modified-tick))
    (pollard-eglot--publish)))


;;; Progress

(easy-menu-define pollard-eglot-menu nil "Menu of the mode line."
  '("Pollard"
    ["Stop" pollard-stop :active (pollard-eglot-running-p)]
    ["Pause" pollard-pause
     :active (and (pollard-eglot-running-p)
                  (not (equal (plist-get pollard-progress :state) "paused")))]
    ["Resume" pollard-resume :active (equal (plist-get pollard-progress :state) "paused")]
    ["Restore original" pollard-restore]
    ["History" pollard-history]
    ["Reduce another failure" pollard-reduce-other :active (not (pollard-eglot-running-p))]
    ["Open report" pollard-open-report :active (not (pollard-eglot-running-p))]
    ["Log" pollard-show-log]))

(defvar pollard-eglot--mode-line-map
  (let ((map (make-sparse-keymap)))
    (define-key map [mode-line down-mouse-1] pollard-eglot-menu)
    map)
  "Keymap of the mode line's text.")

(cl-defmethod eglot-handle-notification
  ((_server pollard-eglot-server) (_method (eql 'pollard/progress))
   &rest progress)
  "Show PROGRESS in the mode line of its buffer; open the result of a folder."
  (when (plist-get progress :files)
    ;; After the messages that arrived together with this one.
    (run-at-time 0 nil #'pollard-eglot--on-folder progress))
  (when-let ((buffer (pollard-eglot--buffer (plist-get progress :uri))))
    (with-current-buffer buffer
      (setq pollard-progress progress)
      (pollard-eglot--show-status)
      (unless (equal (plist-get progress :state) "paused")
        (pollard-eglot--forget-question))
      (when (member (plist-get progress :state) '("checking" "done" "stopped" "failed"))
        (setq pollard-eglot--group nil))
      (unless (seq-empty-p (plist-get progress :companions))
        (run-at-time 0 nil #'pollard-eglot--compare (plist-get progress :companions)))
      (unless (seq-empty-p (plist-get progress :others))
        ;; After the messages that arrived together with this one.
        (run-at-time 0 nil #'pollard-eglot--announce-others (buffer-name) progress)))))

(defvar pollard-eglot-folders nil
  "The URIs of the folders that are being reduced.")

(defun pollard-eglot--on-folder (progress)
  "Keep track of the reduction of a folder by its PROGRESS, and open its result."
  (let ((uri (plist-get progress :uri)) (result (plist-get progress :result)))
    (cond ((not (member (plist-get progress :state) '("done" "stopped" "failed")))
           (cl-pushnew uri pollard-eglot-folders :test #'equal))
          (t (setq pollard-eglot-folders (delete uri pollard-eglot-folders))
             (when result
               (dired-other-window (pollard-eglot--path result)))))))

(defun pollard-eglot--path (uri)
  "Return the path of URI."
  (if (fboundp 'eglot-uri-to-path) (eglot-uri-to-path uri)
    (eglot--uri-to-path uri)))

(defun pollard-eglot--compare (companions)
  "Show the differences of COMPANIONS and their results.
These are the files beside a buffer's file that were reduced after it."
  (seq-doseq (each companions)
    (when-let ((result (plist-get each :result)))
      (let* ((original (pollard-eglot--path (plist-get each :original)))
             (name (format "*Pollard: %s*" (file-name-nondirectory original))))
        (display-buffer
         (diff-no-select original (pollard-eglot--path result) nil t
                         (get-buffer-create name)))))))

(defun pollard-eglot--announce-others (name progress)
  "Say that the reduction of buffer NAME saw other failures; PROGRESS is its end.
The message has that of the server, too, which it would otherwise hide."
  (message "Pollard: %s: %s (M-x pollard-reduce-other)" name (plist-get progress :message)))

(defun pollard-eglot-running-p ()
  "Return whether the buffer has a running or paused reduction."
  (member (plist-get pollard-progress :state) '("checking" "reducing" "paused")))

(defun pollard-eglot--show-status ()
  "Show the progress of the buffer's reduction in the mode line."
  (when pollard-eglot--timer (cancel-timer pollard-eglot--timer))
  (setq pollard-eglot--timer
        (unless (or (pollard-eglot-running-p) (null pollard-status-seconds))
          (run-at-time pollard-status-seconds nil
                       #'pollard-eglot--clear (current-buffer))))
  (setq pollard-status
        (propertize (pollard-eglot--status-text pollard-progress)
                    'help-echo (pollard-eglot--details pollard-progress)
                    'mouse-face 'mode-line-highlight
                    'local-map pollard-eglot--mode-line-map))
  (force-mode-line-update t))

(defun pollard-eglot--clear (buffer)
  "Clear the status in the mode line of BUFFER."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq pollard-progress nil pollard-status nil pollard-eglot--timer nil)
      (pollard-eglot--forget-question)
      (force-mode-line-update t))))

(defun pollard-eglot--status-text (progress)
  "Return a short text on PROGRESS."
  (let ((state (plist-get progress :state)))
    (cond ((equal state "checking") "checking")
          ((equal state "failed") "not reduced")
          (t (format "%s%s ← %s · %d runs%s"
                     (if (equal state "reducing") "" (concat state " "))
                     (pollard-eglot-size (plist-get progress :bytes))
                     (pollard-eglot-size (plist-get progress :originalBytes))
                     (plist-get progress :runs)
                     (if (eq t (plist-get progress :failureChanged))
                         " · the failure has changed" ""))))))

(defun pollard-eglot--details (progress)
  "Return the tooltip on PROGRESS."
  (cl-flet ((of (key) (plist-get progress key)))
    (format "%s\n%sPass: %s\nRuns: %d, %.1f a second\nNever tried: %d\nTime: %.0f s"
            (of :message) (mapconcat (lambda (line) (concat line "\n")) (of :comparison) "")
            (of :pass) (of :runs) (of :rate) (of :guarded) (of :seconds))))

(defun pollard-eglot-size (bytes)
  "Return BYTES as a short text, such as \"3.1 kB\"."
  (let ((units '("kB" "MB" "GB"))
        (size (/ bytes 1000.0)))
    (if (< bytes 1000)
        (format "%d B" bytes)
      (while (and (cdr units) (>= size 1000))
        (setq size (/ size 1000) units (cdr units)))
      (format (if (< size 10) "%.1f %s" "%.0f %s") size (car units)))))

(add-to-list 'mode-line-misc-info '(pollard-status (" [" pollard-status "] ")))


;;; Questions

(defconst pollard-eglot--answers
  '(("Continue" . "pollard.resume")
    ("Stop" . "pollard.stop")
    ("Restore" . "pollard.restore"))
  "The answers to the question after the user has typed during a reduction.
Each has a command of the server with the same effect.")

(defvar-local pollard-eglot--question nil
  "The buffer with the open question about this buffer.")

(defvar-local pollard-eglot--source nil
  "The buffer that the question shown in this buffer is about.")

(cl-defmethod eglot-handle-request
  ((server pollard-eglot-server) (_method (eql 'window/showMessageRequest))
   &key message actions &allow-other-keys)
  "Ask the user MESSAGE of SERVER, with the titles of ACTIONS as answers.
The question after the user has typed is shown in a window, because the
minibuffer would take the next keys.  SERVER gets no answer to it, and
leaves the reduction paused."
  (let ((titles (mapcar (lambda (action) (plist-get action :title)) actions))
        (buffer (pollard-eglot--buffer-of-question message)))
    (if (and buffer (cl-every (lambda (title) (assoc title pollard-eglot--answers)) titles))
        (progn (pollard-eglot--show-question buffer message titles) nil)
      (let ((release (pollard-eglot--hold-messages server)))
        (unwind-protect
            (when-let ((title (pollard-eglot--ask message titles)))
              (list :title title))
          (funcall release))))))

(defun pollard-eglot--hold-messages (server)
  "Queue SERVER's messages from now on; return a function that delivers them.
Emacs 28 calls us inside the process filter, which is not reentrant: it would
take the rest of this message for part of the next one."
  (let* ((process (jsonrpc--process server))
         (filter (process-filter process))
         (held nil))
    (if (not (with-current-buffer (process-buffer process) (buffer-narrowed-p)))
        #'ignore
      (set-process-filter process (lambda (_ output) (push output held)))
      (lambda ()
        (run-at-time 0 nil (lambda ()
                             (set-process-filter process filter)
                             (when held
                               (funcall filter process (string-join (nreverse held))))))))))

(defun pollard-eglot--ask (message titles)
  "Ask MESSAGE in the minibuffer; return one of TITLES, nil for none.
A window shows the whole message, which can be long."
  (let ((window (pollard-eglot--display (pollard-eglot--text-buffer message))))
    (unwind-protect
        (condition-case nil
            (let* ((completion-ignore-case t)
                   (enable-recursive-minibuffers t)
                   (prompt (format "Pollard asks (%s): " (string-join titles ", ")))
                   (title (completing-read prompt titles nil t)))
              (car (member title titles)))
          (quit nil))
      (pollard-eglot--dismiss (window-buffer window)))))

(defun pollard-eglot--text-buffer (text)
  "Return a new read-only buffer with TEXT."
  (let ((buffer (generate-new-buffer "*Pollard question*")))
    (with-current-buffer buffer
      (insert text "\n")
      (goto-char (point-min))
      (special-mode))
    buffer))

(defun pollard-eglot--display (buffer)
  "Show BUFFER in a window, without selecting it; return the window."
  (display-buffer buffer '((display-buffer-in-side-window)
                           (side . bottom)
                           (window-height . fit-window-to-buffer))))

(defun pollard-eglot--dismiss (buffer)
  "Kill BUFFER and close its windows."
  (when (buffer-live-p buffer)
    (dolist (window (get-buffer-window-list buffer nil t))
      (quit-window nil window))
    (kill-buffer buffer)))

(defun pollard-eglot--buffer-of-question (message)
  "Return the buffer whose reduction MESSAGE is about, nil if none is reduced."
  (let ((buffers (cl-loop for buffer being the hash-values of pollard-eglot--buffers
                          when (and (buffer-live-p buffer)
                                    (with-current-buffer buffer (pollard-eglot-running-p)))
                          collect buffer)))
    (or (cl-find-if (lambda (buffer)
                      (string-search (file-name-nondirectory (buffer-file-name buffer))
                                     message))
                    buffers)
        (car buffers))))

(defun pollard-eglot--show-question (buffer message titles)
  "Open a window with MESSAGE about BUFFER and a button for each of TITLES."
  (with-current-buffer buffer
    (pollard-eglot--forget-question)
    (setq pollard-eglot--question (pollard-eglot--text-buffer message))
    (with-current-buffer pollard-eglot--question
      (setq pollard-eglot--source buffer)
      (let ((inhibit-read-only t))
        (goto-char (point-max))
        (insert "\n")
        (dolist (title titles)
          (insert-text-button title 'action #'pollard-eglot--push)
          (insert "   "))
        (insert (substitute-command-keys "\n\nClick, or use \\[pollard-answer].\n")))
      (goto-char (point-min)))
    (pollard-eglot--display pollard-eglot--question)
    (message "Pollard: %s" message)))

(defun pollard-eglot--push (button)
  "Give the answer of BUTTON."
  (pollard-eglot-answer pollard-eglot--source (button-label button)))

(defun pollard-eglot-answer (buffer title)
  "Give the answer TITLE to the question about BUFFER."
  (with-current-buffer buffer
    (pollard-eglot--forget-question)
    (pollard-eglot-request (cdr (assoc title pollard-eglot--answers)))))

(defun pollard-eglot--forget-question ()
  "Close the open question about this buffer, if any."
  (when pollard-eglot--question
    (pollard-eglot--dismiss pollard-eglot--question)
    (setq pollard-eglot--question nil)))

;;;###autoload
(defun pollard-answer ()
  "Answer the question that Pollard asked because you typed during a reduction."
  (interactive)
  (let ((source (or pollard-eglot--source (current-buffer)))
        (titles (mapcar #'car pollard-eglot--answers))
        (completion-ignore-case t))
    (unless (buffer-local-value 'pollard-eglot--question source)
      (user-error "Pollard has no question about this buffer"))
    (pollard-eglot-answer source (completing-read "Pollard should: " titles nil t))))


;;; Checks

(cl-defmethod eglot-handle-notification
  ((_server pollard-eglot-server) (_method (eql 'pollard/checked)) &rest checked)
  "Run `pollard-checked-functions' with CHECKED, outside of the process filter."
  (run-at-time 0 nil #'run-hook-with-args 'pollard-checked-functions checked))

(provide 'pollard-eglot)
;; Local Variables:
;; package-lint-main-file: "pollard.el"
;; End:
;;; pollard-eglot.el ends here
