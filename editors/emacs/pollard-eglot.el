;;; pollard-eglot.el --- Pollard's language server in Eglot  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; What is between the commands of pollard.el and Eglot: starting the server,
;; calling its commands, applying its edits so that one reduction is one undo
;; step, telling in the mode line how a reduction stands, and asking the user
;; what the server asks.
;;
;; Eglot gives each buffer one server.  `pollard-eglot-server' is a class of
;; its own, so that nothing here touches the servers of other buffers.

;;; Code:

(require 'cl-lib)
(require 'easymenu)
(require 'eglot)
(require 'jsonrpc)
(require 'subr-x)

(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function eglot--pos-to-lsp-position "eglot")
(declare-function eglot--signal-textDocument/didChange "eglot")
(declare-function jsonrpc--process "jsonrpc")

(defgroup pollard nil
  "Shrink a file that makes a program fail."
  :group 'tools
  :prefix "pollard-")

(defcustom pollard-server-command '("pollard" "serve")
  "The program that is Pollard's language server, and its arguments."
  :type '(repeat string))

(defcustom pollard-status-seconds 30
  "How many seconds the mode line tells how a reduction ended; nil for ever."
  :type '(choice (const :tag "Until the next reduction" nil) number))

(defvar pollard-checked-functions nil
  "Called with the parameters of each `pollard/checked', a property list.")

(defvar-local pollard-progress nil
  "The parameters of the buffer's last `pollard/progress', a property list.")

(defvar-local pollard-status nil
  "What the mode line says of the buffer's reduction, nil for nothing.")
(put 'pollard-status 'risky-local-variable t)

(defvar-local pollard-eglot--group nil
  "The undo step that the next edit is to join.
A cons of a change group and the buffer's tick after its last edit.")

(defvar-local pollard-eglot--timer nil "What will clear `pollard-status'.")

(defvar pollard-eglot--uris (make-hash-table :test #'equal)
  "The buffers by the URIs that the server knows them by.")

(defclass pollard-eglot-server (eglot-lsp-server) ()
  :documentation "Pollard's language server.")


;;; The connection

;;;###autoload
(defun pollard-eglot-setup (&rest modes)
  "Make Pollard the language server of buffers in MODES.
Eglot gives a buffer one server, so do this for modes in which you use
no other.  For the others there is \\[pollard-eglot]."
  (dolist (mode modes)
    (setf (alist-get mode eglot-server-programs) #'pollard-eglot--contact)))

(defun pollard-eglot--contact (&rest _)
  "Return what Eglot needs to know to start the server."
  (let ((program (car pollard-server-command)))
    (unless (executable-find program t)
      (user-error "Pollard's server %s is not found; install it with `pip install \
pollard', or set `pollard-server-command'" program)))
  (cons 'pollard-eglot-server pollard-server-command))

;;;###autoload
(defun pollard-eglot ()
  "Connect the buffer to Pollard, in the place of its language server.
This goes for all buffers of its mode in its project.  \\[eglot] connects
them to the other one again."
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
  (and (eglot-managed-p)  ; otherwise Eglot would take note of a server that is leaving
       (when-let ((server (eglot-current-server)))
         (object-of-class-p server 'pollard-eglot-server))))

(defun pollard-eglot-ensure ()
  "Connect the buffer to Pollard unless it is.
If it has another server, the user is asked first."
  (unless (pollard-eglot-p)
    (unless (or (not (eglot-current-server))
                (y-or-n-p "Eglot gives a buffer one language server; \
use Pollard in place of this one? "))
      (user-error "The buffer keeps its language server"))
    (pollard-eglot)
    (unless (pollard-eglot-p)
      (user-error "Pollard's server did not start; see the buffer *Messages*"))))

(defun pollard-eglot--uri ()
  "Return the URI by which the server knows the buffer."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun pollard-eglot--buffer (uri)
  "Return the live buffer that the server knows as URI, nil if there is none."
  (let ((buffer (gethash uri pollard-eglot--uris)))
    (and (buffer-live-p buffer) buffer)))

(defun pollard-eglot--publish ()
  "Publish the buffer's text now, which Eglot would do when idle."
  (when (fboundp 'eglot--signal-textDocument/didChange)
    (eglot--signal-textDocument/didChange)))

(defun pollard-eglot-request (command &rest arguments)
  "Run the server's COMMAND on the buffer, with ARGUMENTS, a property list.
Return its result, a property list.  What the server refuses becomes a
`user-error' with its sentence."
  (pollard-eglot-ensure)
  (pollard-eglot--publish)
  (eglot-execute-command (eglot-current-server) command
                         (vector `(:uri ,(pollard-eglot--uri) ,@arguments))))

(cl-defmethod eglot-execute-command ((server pollard-eglot-server) command arguments)
  "Run COMMAND of SERVER with ARGUMENTS, and return the result.
The `jsonrpc-request' of Emacs 28 leaves the process filter as soon as it has
the answer; a question that came with it would not be asked before the next
message comes, which there is none of as long as the server waits."
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
  "Tell the server what the region from BEG to END is."
  (list :start (eglot--pos-to-lsp-position beg)
        :end (eglot--pos-to-lsp-position end)))

(defun pollard-eglot--managed ()
  "Take note of a buffer that was just connected or disconnected."
  (cond ((pollard-eglot-p)
         (puthash (pollard-eglot--uri) (current-buffer) pollard-eglot--uris))
        (pollard-progress
         (pollard-eglot--clear (current-buffer)))))

(add-hook 'eglot-managed-mode-hook #'pollard-eglot--managed)


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
  "Let CHANGE join the undo step of the edits that were made here before it.
A change of the user's in between begins a new step."
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

(easy-menu-define pollard-eglot-menu nil "What can be done about a reduction."
  '("Pollard"
    ["Stop" pollard-stop :active (pollard-eglot-running-p)]
    ["Pause" pollard-pause
     :active (and (pollard-eglot-running-p)
                  (not (equal (plist-get pollard-progress :state) "paused")))]
    ["Resume" pollard-resume :active (equal (plist-get pollard-progress :state) "paused")]
    ["Restore original" pollard-restore]
    ["History" pollard-history]
    ["Log" pollard-show-log]))

(defvar pollard-eglot--mode-line-map
  (let ((map (make-sparse-keymap)))
    (define-key map [mode-line down-mouse-1] pollard-eglot-menu)
    map)
  "Keys for the mode line.")

(cl-defmethod eglot-handle-notification
  ((_server pollard-eglot-server) (_method (eql 'pollard/progress))
   &rest progress)
  "Show PROGRESS in the mode line of its buffer."
  (when-let ((buffer (pollard-eglot--buffer (plist-get progress :uri))))
    (with-current-buffer buffer
      (setq pollard-progress progress)
      (pollard-eglot--show-status)
      (unless (equal (plist-get progress :state) "paused")
        (pollard-eglot--forget-question))
      (when (member (plist-get progress :state) '("checking" "done" "stopped" "failed"))
        (setq pollard-eglot--group nil)))))

(defun pollard-eglot-running-p ()
  "Return whether the buffer is being reduced, or that is paused."
  (member (plist-get pollard-progress :state) '("checking" "reducing" "paused")))

(defun pollard-eglot--show-status ()
  "Make the mode line tell how the buffer's reduction stands."
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
  "Say nothing more in the mode line of BUFFER."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq pollard-progress nil pollard-status nil pollard-eglot--timer nil)
      (pollard-eglot--forget-question)
      (force-mode-line-update t))))

(defun pollard-eglot--status-text (progress)
  "Return a few words on PROGRESS."
  (let ((state (plist-get progress :state)))
    (cond ((equal state "checking") "checking")
          ((equal state "failed") "not reduced")
          (t (format "%s%s ← %s · %d runs"
                     (if (equal state "reducing") "" (concat state " "))
                     (pollard-eglot-size (plist-get progress :bytes))
                     (pollard-eglot-size (plist-get progress :originalBytes))
                     (plist-get progress :runs))))))

(defun pollard-eglot--details (progress)
  "Return all that there is to know of PROGRESS, in lines."
  (cl-flet ((of (key) (plist-get progress key)))
    (format "%s\nPass: %s\nRuns: %d, %.1f a second\nNever tried: %d\nTime: %.0f s"
            (of :message) (of :pass) (of :runs) (of :rate) (of :guarded) (of :seconds))))

(defun pollard-eglot-size (bytes)
  "Return BYTES as people read them."
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
  '(("Keep reducing from here" . "pollard.resume")
    ("Stop and keep mine" . "pollard.stop")
    ("Restore original" . "pollard.restore"))
  "The answers to the question that comes when the user has typed meanwhile.
Each can as well be given by a command of the server.")

(defvar-local pollard-eglot--question nil
  "The buffer with the question about this one that has no answer yet.")

(defvar-local pollard-eglot--source nil
  "The buffer that the question in this buffer is about.")

(cl-defmethod eglot-handle-request
  ((server pollard-eglot-server) (_method (eql 'window/showMessageRequest))
   &key message actions &allow-other-keys)
  "Ask the user MESSAGE of SERVER, with the titles of ACTIONS as answers.
Someone who types does not want the next keys to go to the minibuffer, so the
question that comes then is shown in a window; SERVER hears that there is
no answer yet, and leaves the reduction paused."
  (let ((titles (mapcar (lambda (action) (plist-get action :title)) actions))
        (buffer (pollard-eglot--asked-about message)))
    (if (and buffer (cl-every (lambda (title) (assoc title pollard-eglot--answers)) titles))
        (progn (pollard-eglot--show-question buffer message titles) nil)
      (let ((release (pollard-eglot--hold-back server)))
        (unwind-protect
            (when-let ((title (pollard-eglot--ask message titles)))
              (list :title title))
          (funcall release))))))

(defun pollard-eglot--hold-back (server)
  "Keep SERVER's messages from now on; return a function to let them through.
Emacs 28 is in the middle of the process filter now, which does not stand being
called again: it would take the rest of this message for part of the next one."
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
The message can be long, and is shown whole in a window."
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
  "Return a new buffer with TEXT to read."
  (let ((buffer (generate-new-buffer "*Pollard question*")))
    (with-current-buffer buffer
      (insert text "\n")
      (goto-char (point-min))
      (special-mode))
    buffer))

(defun pollard-eglot--display (buffer)
  "Show BUFFER in a window that is not selected; return the window."
  (display-buffer buffer '((display-buffer-in-side-window)
                           (side . bottom)
                           (window-height . fit-window-to-buffer))))

(defun pollard-eglot--dismiss (buffer)
  "Close BUFFER and its windows."
  (when (buffer-live-p buffer)
    (dolist (window (get-buffer-window-list buffer nil t))
      (quit-window nil window))
    (kill-buffer buffer)))

(defun pollard-eglot--asked-about (message)
  "Return the buffer with a reduction that MESSAGE is about, nil if there is none."
  (let ((buffers (cl-loop for buffer being the hash-values of pollard-eglot--uris
                          when (and (buffer-live-p buffer)
                                    (with-current-buffer buffer (pollard-eglot-running-p)))
                          collect buffer)))
    (or (cl-find-if (lambda (buffer)
                      (string-search (file-name-nondirectory (buffer-file-name buffer))
                                     message))
                    buffers)
        (car buffers))))

(defun pollard-eglot--show-question (buffer message titles)
  "Show MESSAGE about BUFFER in a window, with buttons that have TITLES."
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
  "Close the question about this buffer, if there is one."
  (when pollard-eglot--question
    (pollard-eglot--dismiss pollard-eglot--question)
    (setq pollard-eglot--question nil)))

;;;###autoload
(defun pollard-answer ()
  "Answer the question that Pollard asked because you typed meanwhile."
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
  "Hand CHECKED on, once Emacs has time for it."
  (run-at-time 0 nil #'run-hook-with-args 'pollard-checked-functions checked))

(provide 'pollard-eglot)
;; Local Variables:
;; package-lint-main-file: "pollard.el"
;; End:
;;; pollard-eglot.el ends here
